/** Numbers that other carriers ask for, by Telnyx's reports and by the look every 15 minutes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/events.ts';
import { runNow, sql } from '../support/jobs.ts';
import { buyNumber, eventsOf, makeTenant } from '../support/numbers.ts';
import { until } from '../support/until.ts';
import { useTelnyxLine } from './telnyx-line.ts';

const { telnyx, harness, key, tenantId, connectionId, number, get } = await useTelnyxLine();
const { control } = telnyx;
const { db } = harness.context;
const portOutUrl = `${harness.url}/carrier/telnyx/${connectionId}`;
await control.set({ portOutUrl });

const portOutsOf = async (id: string) =>
  (await eventsOf(harness, id))
    .filter(({ type }) => type === 'number.port_out')
    .map(({ data }) => (data as Json).port_out);
const untilSaid = (id: string, count: number) =>
  until(`${count} reports are recorded`, async () => (await portOutsOf(id)).length >= count);
const statusOf = async (id: string) => (await get(`/phone_numbers/${id}`)).status;

test('a number that was ported away without a report ends here with the next look, and the others stay', async () => {
  const kept = await buyNumber(harness, tenantId, key);
  await control.setNumber({ phoneNumber: number.phone_number, status: 'ported-out' });
  await runNow(db, 'sweep.telnyx_ported_out');
  assert.equal(await statusOf(number.id), 'released');
  assert.deepEqual(await portOutsOf(number.id), [{ status: 'ported', carrier_name: null, reason: null }]);
  assert.equal(await statusOf(kept.id), 'active');
  assert.deepEqual(await portOutsOf(kept.id), []);
  const released = await control.requests({ operation: 'DELETE /phone_numbers/{id}' });
  assert.deepEqual(released, [], 'nothing is to be released at Telnyx');
});

test('a port-out is reported while it is pending, then as ported, and the number ends without a look', async () => {
  const { id, phone_number } = await buyNumber(harness, tenantId, key);
  const request = await control.portOut({ phoneNumbers: [phone_number], status: 'pending' });
  await untilSaid(id, 1);
  assert.equal(await statusOf(id), 'active');
  await control.portOut({ id: request, phoneNumbers: [phone_number], status: 'authorized' });
  await control.portOut({ id: request, phoneNumbers: [phone_number], status: 'ported' });
  await untilSaid(id, 2);
  await harness.settled();
  assert.equal(await statusOf(id), 'released');
  assert.deepEqual(await portOutsOf(id), [
    { status: 'pending', carrier_name: 'EXAMPLE MOBILE', reason: null },
    { status: 'ported', carrier_name: 'EXAMPLE MOBILE', reason: null },
  ]);
  await runNow(db, 'sweep.telnyx_ported_out');
  assert.equal((await portOutsOf(id)).length, 2, 'the look finds nothing new');
});

test('a request that Telnyx does not report is found by the look, once, and its end too', async (t) => {
  await control.set({ portOutUrl: '' });
  t.after(() => control.set({ portOutUrl }));
  const { id, phone_number } = await buyNumber(harness, tenantId, key);
  const phoneNumbers = [phone_number];
  const look = async () => {
    for (let round = 0; round < 2; round++) await runNow(db, 'sweep.telnyx_ported_out');
    return await portOutsOf(id);
  };
  const request = await control.portOut({ phoneNumbers, status: 'pending' });
  const pending = { status: 'pending', carrier_name: 'EXAMPLE MOBILE', reason: null };
  assert.deepEqual(await look(), [pending]);
  await control.portOut({ id: request, phoneNumbers, status: 'rejected', reason: 'Not ordered' });
  const rejected = { ...pending, status: 'rejected', reason: 'Not ordered' };
  assert.deepEqual(await look(), [pending, rejected]);
  await control.portOut({ phoneNumbers, status: 'authorized' });
  assert.deepEqual(await look(), [pending, rejected, pending]);
  assert.equal(await statusOf(id), 'active');
});

test('of several requests for a number the newest counts, also if an older one ends later', async (t) => {
  t.after(() => control.set({ portOutUrl }));
  const { id, phone_number } = await buyNumber(harness, tenantId, key);
  const phoneNumbers = [phone_number];
  await control.set({ portOutUrl: '' });
  const first = await control.portOut({ phoneNumbers, status: 'pending' });
  await control.portOut({ phoneNumbers, status: 'pending', carrierName: 'SECOND MOBILE' });
  await control.portOut({ id: first, phoneNumbers, status: 'canceled' });
  await runNow(db, 'sweep.telnyx_ported_out');
  const newest = { status: 'pending', carrier_name: 'SECOND MOBILE', reason: null };
  assert.deepEqual(await portOutsOf(id), [newest]);
});

test('a request for numbers of two tenants is rejected for both, with the reason', async () => {
  const other = await makeTenant(harness, key);
  const [one, two] = [await buyNumber(harness, tenantId, key), await buyNumber(harness, other, key)];
  const phoneNumbers = [one.phone_number, two.phone_number];
  const request = await control.portOut({ phoneNumbers, status: 'pending' });
  for (const { id } of [one, two]) await untilSaid(id, 1);
  await control.portOut({ id: request, phoneNumbers, status: 'rejected-pending' });
  await control.portOut({ id: request, phoneNumbers, status: 'rejected', reason: 'The PIN is wrong.' });
  for (const { id } of [one, two]) {
    await untilSaid(id, 2);
    const [, last] = await portOutsOf(id);
    assert.deepEqual(last, { status: 'rejected', carrier_name: 'EXAMPLE MOBILE', reason: 'The PIN is wrong.' });
    assert.equal(await statusOf(id), 'active');
  }
});

test('the PIN that the other carrier has tried is not kept', async () => {
  const { id, phone_number } = await buyNumber(harness, tenantId, key);
  await control.portOut({ phoneNumbers: [phone_number], status: 'canceled' });
  await untilSaid(id, 1);
  assert.match((await portOutsOf(id))[0]?.reason, /canceled/);
  const kept = await sql(db, `select 1 from carrier_inbox where body::text like '%attempted_pin%'`);
  assert.deepEqual(kept, []);
});
