import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { ledgerOf } from '../../../../test/support/money.ts';
import { buyNumber, eventsOf, jobsOf, makeTenant, useTenant } from '../../../../test/support/numbers.ts';
import type { PortOutReport, PortOutStatus } from '../../../carriers/ports/numbers.ts';
import { now } from '../../../lib/time/time.ts';
import { applyNumberEvents } from '../carrier-events.ts';

const { harness, tenantId } = await useTenant({ startWorkers: false });
const { db } = harness.context;
const ledger = await ledgerOf(harness, 'test');

const get = async (id: string) => (await harness.call('GET', `/v1/phone_numbers/${id}`)).body;
/** The data of the events of requests for a number. */
const portOutsOf = async (id: string): Promise<Json[]> =>
  (await eventsOf(harness, id)).filter(({ type }) => type === 'number.port_out').map(({ data }) => data);

/** Returns the types of a number's events, and the status of each request for the number. */
const storyOf = async (id: string) =>
  (await eventsOf(harness, id)).map(({ type, data }) => [type, (data as Json).port_out?.status ?? data.status]);

type Said = [status: PortOutStatus, seconds: number, request?: string | null];

/** Reports the given steps `seconds` from now in the given order, each report twice. */
async function report(phoneNumber: string, ...said: readonly Said[]): Promise<void> {
  for (const [status, seconds, carrierRef = 'one'] of said) {
    const occurredAt = new Date(now() + seconds * 1_000);
    const about = { phoneNumber, carrierRef, status, carrierName: 'Example Mobile', reason: null, occurredAt };
    const event: PortOutReport = { type: 'number.port_out', ...about };
    await db.transaction((tx) => applyNumberEvents(tx, ledger, [event, event]));
  }
}

const play = (id: string, body: object, key?: string) =>
  harness.call('POST', `/v1/test/phone_numbers/${id}/port_out`, { ...(key && { key }), body });

test('a number that another carrier asks for stays in service, and ends when it is ported', async () => {
  const { id, phone_number } = await buyNumber(harness, tenantId);
  await report(phone_number, ['pending', 10]);
  assert.equal((await get(id)).status, 'active');
  const [{ port_out, ...number } = assert.fail('there is no event')] = await portOutsOf(id);
  assert.deepEqual(port_out, { status: 'pending', carrier_name: 'Example Mobile', reason: null });
  assert.deepEqual(number, await get(id));
  await report(phone_number, ['ported', 20]);
  assert.equal((await get(id)).status, 'released');
  const story = [
    ['number.port_out', 'pending'],
    ['number.status_changed', 'released'],
    ['number.port_out', 'ported'],
  ];
  assert.deepEqual(await storyOf(id), story);
  assert.deepEqual(await jobsOf(harness, id), [], 'the carrier is not asked to release it');
});

test('a request that is rejected stays rejected, also if its older reports come late, and a new one counts', async () => {
  const { id, phone_number } = await buyNumber(harness, tenantId);
  await report(phone_number, ['rejected', 20], ['pending', 10], ['pending', 30], ['pending', 40, 'two']);
  await report(phone_number, ['rejected', 35, 'three']);
  assert.deepEqual(await storyOf(id), [
    ['number.port_out', 'rejected'],
    ['number.port_out', 'pending'],
  ]);
  assert.equal((await get(id)).status, 'active');
});

test('a number that is found to have left without a report has the event too, with the carrier that had asked', async () => {
  const { id, phone_number } = await buyNumber(harness, tenantId);
  await report(phone_number, ['pending', 10]);
  const event = { type: 'number.ported_out', phoneNumber: phone_number, occurredAt: new Date(now() + 20_000) } as const;
  await db.transaction((tx) => applyNumberEvents(tx, ledger, [event]));
  const [, ported] = await portOutsOf(id);
  assert.deepEqual(ported?.port_out, { status: 'ported', carrier_name: 'Example Mobile', reason: null });
});

test('a report about a number that was bought after it, or that the ledger does not have, changes nothing', async () => {
  const { id, phone_number } = await buyNumber(harness, tenantId);
  await report(phone_number, ['ported', -3_600]);
  await report('+16025550998', ['ported', 10]);
  assert.deepEqual([(await get(id)).status, await storyOf(id)], ['active', []]);
});

test('in test mode a caller plays the other carrier, and only what such a carrier can do', async () => {
  const { id } = await buyNumber(harness, tenantId);
  const pending = await play(id, { status: 'pending', carrier_name: 'Example Mobile' });
  assert.deepEqual([pending.status, pending.body.status], [200, 'active']);
  assert.equal((await play(id, { status: 'rejected', reason: 'The PIN is wrong.' })).status, 200);
  const [, rejected] = await portOutsOf(id);
  assert.deepEqual(rejected?.port_out, {
    status: 'rejected',
    carrier_name: 'Example Mobile',
    reason: 'The PIN is wrong.',
  });
  const again = await play(id, { status: 'rejected' });
  assert.deepEqual([again.status, again.body.error.code], [409, 'review_not_pending']);
  await play(id, { status: 'pending' });
  assert.equal((await play(id, { status: 'ported' })).body.status, 'released');
  assert.equal((await play(id, { status: 'pending' })).body.error.code, 'review_not_pending');
});

test('a key of one tenant plays it for the numbers of its tenant alone', async () => {
  const key = await harness.tenantKey(tenantId);
  const foreign = await buyNumber(harness, await makeTenant(harness));
  const refused = await play(foreign.id, { status: 'pending' }, key);
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'tenant_restricted_key']);
  const own = await buyNumber(harness, tenantId);
  assert.equal((await play(own.id, { status: 'pending' }, key)).status, 200);
});
