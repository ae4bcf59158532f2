import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { refusal } from '../../../../test/support/messages.ts';
import { useTenant } from '../../../../test/support/numbers.ts';
import { DEFAULT_VOICEMAIL } from './fill-defaults.ts';

const { harness, tenantId } = await useTenant({ startWorkers: false });

const PERSON = '+16025550143';
const RING = { type: 'ring', targets: [PERSON] };

async function make(change: object = {}): Promise<Json> {
  const body = { tenant_id: tenantId, name: 'Office', open_behavior: RING, ...change };
  const reply = await harness.call('POST', '/v1/routing_configs', { body });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

const evaluate = (id: string, wanted: object = {}) =>
  harness.call('POST', `/v1/routing_configs/${id}/evaluate`, { body: wanted });

test("an evaluation returns the targets that would ring at a moment, in the tenant's time zone", async () => {
  const { id } = await make({
    business_hours: { schedule: [{ days: ['fri'], open: '08:00', close: '17:00' }] },
    open_behavior: { ...RING, targets: ['+16025550144', PERSON] },
    closed_behavior: { type: 'voicemail', greeting_text: 'We open at eight.' },
  });
  const open = await evaluate(id, { at: '2026-11-20T08:00:00-07:00' });
  assert.equal(open.status, 200);
  const targets = ['+16025550144', PERSON];
  assert.deepEqual(open.body, {
    at: '2026-11-20T15:00:00.000Z',
    open: true,
    behavior: { type: 'ring', targets, strategy: 'simultaneous', timeout_seconds: 25, no_answer: null },
    targets,
  });
  const closed = await evaluate(id, { at: '2026-11-20T08:00:00Z' });
  const behavior = { ...DEFAULT_VOICEMAIL, greeting_text: 'We open at eight.' };
  assert.deepEqual(closed.body, { at: '2026-11-20T08:00:00.000Z', open: false, behavior, targets: [] });
  await harness.call('PATCH', `/v1/tenants/${tenantId}`, { body: { timezone: 'Asia/Tokyo' } });
  assert.equal((await evaluate(id, { at: '2026-11-20T08:00:00-07:00' })).body.open, false);
  assert.equal((await evaluate(id, { at: '2026-11-20T08:00:00+09:00' })).body.open, true);
  await harness.call('PATCH', `/v1/tenants/${tenantId}`, { body: { timezone: 'America/Phoenix' } });
});

test("an evaluation without a moment uses the ledger's present", async () => {
  const { id } = await make();
  const stranger = (await harness.secondAccount()).test_key;
  assert.equal((await harness.call('POST', `/v1/routing_configs/${id}/evaluate`, { key: stranger })).status, 404);
  await harness.advance(30 * 86_400);
  const ledgerNow = async () => (await harness.call('GET', '/v1/test/clock')).body.now;
  const before = await ledgerNow();
  const { at } = (await evaluate(id)).body;
  assert.ok(at >= before && at <= (await ledgerNow()), at);
});

test('an invalid moment is refused', async () => {
  const { id } = await make();
  for (const at of [
    'noon',
    '2026-02-30T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01',
    5,
    null,
    '',
  ]) {
    assert.deepEqual(refusal(await evaluate(id, { at })), [400, 'invalid_body', 'at'], String(at));
  }
  assert.equal(refusal(await evaluate(id, { at: '2026-01-01T00:00:00.1234567891Z' }))[2], 'at');
  for (const at of ['9999-12-31T23:59:59-00:01', '0000-01-01T00:00:00+00:01']) {
    assert.deepEqual(refusal(await evaluate(id, { at })), [400, 'invalid_body', 'at'], at);
  }
  for (const at of ['2016-12-31T23:59:60Z', '9999-12-31T23:59:59Z', '0000-01-01T00:00:00Z']) {
    assert.equal((await evaluate(id, { at })).status, 200, at);
  }
});
