import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPort } from '../../../../test/support/carrier-ports.ts';
import { makeCampaign } from '../../../../test/support/compliance.ts';

import { sql } from '../../../../test/support/jobs.ts';
import { ledgerOf } from '../../../../test/support/money.ts';
import { buyNumber, eventsOf, findOnSale, jobsOf, useTenant } from '../../../../test/support/numbers.ts';
import type { NumberReport } from '../../../carriers/ports/numbers.ts';
import { now } from '../../../lib/time/time.ts';
import { applyNumberEvents } from '../carrier-events.ts';
import { RELEASE_RETRY_MS } from './rules.ts';

const { harness, tenantId } = await useTenant({ startWorkers: false });
const { db, metrics } = harness.context;
const ledger = await ledgerOf(harness, 'test');

const get = async (id: string) => (await harness.call('GET', `/v1/phone_numbers/${id}`)).body;
const statusesOf = async (id: string) =>
  (await eventsOf(harness, id))
    .filter(({ type }) => type === 'number.status_changed')
    .map(({ data }) => [data.previous_status, data.status]);

type Report = [type: NumberReport['type'], seconds: number];

/** Reports the given steps `seconds` from now in the given order, each report twice. */
async function report(phoneNumber: string, ...reports: readonly Report[]): Promise<void> {
  for (const [type, seconds] of reports) {
    const event = { type, phoneNumber, occurredAt: new Date(now() + seconds * 1_000) } as const;
    await db.transaction((tx) => applyNumberEvents(tx, ledger, [event, event]));
  }
}

test('a number that the carrier suspends and restores has an event for each', async () => {
  const { id, phone_number } = await buyNumber(harness, tenantId);
  await report(phone_number, ['number.suspended', 10]);
  assert.equal((await get(id)).status, 'suspended');
  const refused = await harness.call('POST', '/v1/messages', { body: { from: id, to: '+14805551234', body: 'Hi' } });
  assert.ok(refused.status >= 400, 'a suspended number sends nothing');
  await report(phone_number, ['number.restored', 20]);
  assert.equal((await get(id)).status, 'active');
  assert.deepEqual(await statusesOf(id), [
    ['active', 'suspended'],
    ['suspended', 'active'],
  ]);
});

test('reports out of order leave the number as the latest of them says', async () => {
  const { id, phone_number } = await buyNumber(harness, tenantId);
  await report(phone_number, ['number.restored', 20], ['number.suspended', 10]);
  assert.equal((await get(id)).status, 'active');
  await report(phone_number, ['number.suspended', 30], ['number.suspended', 50], ['number.restored', 40]);
  assert.equal((await get(id)).status, 'suspended');
  assert.deepEqual(await statusesOf(id), [['active', 'suspended']]);
});

test('a number that is ported away ends like a released one, and the carrier is not asked to release it', async () => {
  const campaign = await makeCampaign(harness, tenantId);
  const { id, phone_number } = await buyNumber(harness, tenantId);
  await harness.call('PATCH', `/v1/phone_numbers/${id}`, { body: { campaign_id: campaign.id } });
  await report(phone_number, ['number.ported_out', 10], ['number.restored', 20]);
  const ended = await get(id);
  assert.deepEqual([ended.status, ended.campaign_id, ended.messaging_ready], ['released', null, false]);
  assert.deepEqual(await statusesOf(id), [['active', 'released']]);
  const kinds = await sql<{ kind: string }>(db, `select kind from jobs where payload::text like '%' || $1 || '%'`, [
    id,
  ]);
  assert.deepEqual(
    kinds.map(({ kind }) => kind),
    ['number.assignment'],
  );
  await harness.advance(62 * 86_400);
  const months = `select 1 from usage_entries where reference like $1 || ':%'
    union all select 1 from usage_archive where reference like $1 || ':%'`;
  assert.equal((await sql(db, months, [id])).length, 1);
  const assigned = 'select 1 from simulated_assignments where phone_number = $1';
  assert.deepEqual(await sql(db, assigned, [phone_number]), []);
});

test('a report of what happened before the number was bought does not change it', async () => {
  const { id, phone_number } = await buyNumber(harness, tenantId);
  await sql(db, `update phone_numbers set created_at = now() where id = $1`, [id]);
  await report(phone_number, ['number.ported_out', -10], ['number.suspended', -10]);
  assert.equal((await get(id)).status, 'active');
  await report('+16025550999', ['number.ported_out', 10]);
  assert.deepEqual(await statusesOf(id), []);
});

test('a number on order takes no reports', async () => {
  const phone_number = await findOnSale(harness);
  await withPort(
    harness,
    'numbers',
    (real) => ({ ...real, order: async () => ({ outcome: 'unknown' }) }),
    async () => {
      const { body } = await harness.call('POST', '/v1/phone_numbers', { body: { tenant_id: tenantId, phone_number } });
      await report(phone_number, ['number.suspended', 10], ['number.ported_out', 20]);
      assert.equal((await get(body.id)).status, 'pending');
    },
  );
});

test('a refused release is requested again for a day with growing delays, then counted for the operator', async () => {
  const { id } = await buyNumber(harness, tenantId);
  const before = (await metrics.releasesRefused.get()).values[0]?.value ?? 0;
  let requests = 0;
  await withPort(
    harness,
    'numbers',
    (real) => ({
      ...real,
      release: async () => {
        requests++;
        return { outcome: 'rejected', reason: 'locked' };
      },
    }),
    async () => {
      await harness.call('DELETE', `/v1/phone_numbers/${id}`);
      await harness.advance(0);
      assert.equal(requests, 1);
      await harness.advance(23 * 3_600);
      assert.equal(requests, RELEASE_RETRY_MS.length);
      await harness.advance(2 * 3_600);
    },
  );
  assert.equal(requests, RELEASE_RETRY_MS.length + 1);
  assert.equal((await metrics.releasesRefused.get()).values[0]?.value, before + 1);
  assert.deepEqual(await jobsOf(harness, id), []);
  assert.deepEqual(
    RELEASE_RETRY_MS.toSorted((a, b) => a - b),
    [...RELEASE_RETRY_MS],
  );
});

test('a release that the carrier accepts after refusals is not counted', async () => {
  const { id, phone_number } = await buyNumber(harness, tenantId);
  const before = (await metrics.releasesRefused.get()).values[0]?.value ?? 0;
  let requests = 0;
  await withPort(
    harness,
    'numbers',
    (real) => ({
      ...real,
      release: async (...args) => (requests++ < 2 ? { outcome: 'rejected', reason: 'locked' } : real.release(...args)),
    }),
    async () => {
      await harness.call('DELETE', `/v1/phone_numbers/${id}`);
      await harness.advance(3_600);
    },
  );
  assert.equal(requests, 3);
  const released = 'select released_at is not null as released from simulated_numbers where phone_number = $1';
  assert.deepEqual(await sql(db, released, [phone_number]), [{ released: true }]);
  assert.equal((await metrics.releasesRefused.get()).values[0]?.value ?? 0, before);
});
