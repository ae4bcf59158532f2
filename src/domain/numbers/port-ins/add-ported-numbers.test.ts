/** Ported numbers that already have an owner here. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { ledgerOf } from '../../../../test/support/money.ts';
import { buyNumber, eventsOf, makeTenant } from '../../../../test/support/numbers.ts';
import { makePacedSender } from '../../../../test/support/pacing.ts';
import { makePortIn, numberElsewhere } from '../../../../test/support/port-ins.ts';
import { applyNumberEvents } from '../carrier-events.ts';

const MAGIC = '+15005550005';

const harness = await useHarness({ startWorkers: false });

const submit = (id: string) => harness.call('POST', `/v1/port_ins/${id}/submit`);
const get = async (id: string): Promise<Json> => (await harness.call('GET', `/v1/port_ins/${id}`)).body;
const numbersOf = async (tenantId: string): Promise<Json[]> =>
  (await harness.call('GET', `/v1/phone_numbers?tenant_id=${tenantId}&limit=100`)).body.data;
const check = async (phoneNumber: string): Promise<Json> =>
  (await harness.call('POST', '/v1/port_ins/check', { body: { phone_numbers: [phoneNumber] } })).body.data[0];

async function portMagic(tenantId: string): Promise<Json> {
  assert.equal((await check(MAGIC)).portable, true);
  const { id } = await makePortIn(harness, tenantId, { phone_numbers: [MAGIC] });
  assert.equal((await submit(id)).status, 200);
  await harness.advance(3);
  assert.equal((await get(id)).status, 'action_needed');
  assert.equal((await harness.call('PATCH', `/v1/port_ins/${id}`, { body: { phone_numbers: [MAGIC] } })).status, 200);
  assert.equal((await submit(id)).status, 200);
  await harness.advance(10);
  assert.equal((await get(id)).status, 'completed');
  return (await numbersOf(tenantId)).find((each) => each.phone_number === MAGIC) ?? assert.fail('no number');
}

/** Creates a port-in of an ordinary number and confirms its date. */
async function confirmed(phoneNumber: string, tenantId: string): Promise<string> {
  const { id } = await makePortIn(harness, tenantId, { phone_numbers: [phoneNumber] });
  assert.equal((await submit(id)).status, 200);
  await harness.advance(5);
  assert.equal((await get(id)).status, 'foc_confirmed');
  return id;
}

test('a magic number can be ported repeatedly, and each time its previous owner loses it', async () => {
  const { tenantId: first, campaignId } = await makePacedSender(harness, 'sole_proprietor');
  const second = await makeTenant(harness);
  const held = await portMagic(first);
  const attached = await harness.call('PATCH', `/v1/phone_numbers/${held.id}`, { body: { campaign_id: campaignId } });
  assert.equal(attached.status, 200);
  const taken = await portMagic(second);
  assert.notEqual(taken.id, held.id);
  assert.deepEqual([taken.status, taken.tenant_id, taken.campaign_id], ['active', second, null]);
  assert.deepEqual(
    (await numbersOf(first)).filter((each) => each.phone_number === MAGIC),
    [],
  );
  const released = (await harness.call('GET', `/v1/phone_numbers/${held.id}`)).body;
  assert.deepEqual([released.status, released.tenant_id, released.campaign_id], ['released', first, null]);
  const moves = (await eventsOf(harness, held.id)).map(({ data }) => [data.previous_status, data.status]);
  assert.deepEqual(moves, [
    ['pending', 'active'],
    ['active', 'released'],
  ]);
  await harness.advance(60);
  const books = 'select released_at from simulated_numbers where phone_number = $1';
  assert.deepEqual(await sql(harness.context.db, books, [MAGIC]), [{ released_at: null }], 'the carrier has it here');
  const body = { from: taken.id, to: '+14805551234', body: 'Hello' };
  assert.equal((await harness.call('POST', '/v1/messages', { body })).status, 201);
  assert.equal((await portMagic(first)).status, 'active');
});

test('a magic number ported again for its owner stays the same number', async () => {
  const tenantId = await makeTenant(harness);
  const held = await portMagic(tenantId);
  assert.deepEqual(await portMagic(tenantId), held);
  assert.equal((await numbersOf(tenantId)).length, 1);
  assert.equal((await eventsOf(harness, held.id)).length, 1);
});

test('concurrent completions of port-ins of a magic number all succeed, and one tenant has it', async () => {
  const tenants = await Promise.all(Array.from({ length: 4 }, () => makeTenant(harness)));
  const ids: string[] = [];
  for (const tenantId of tenants) ids.push((await makePortIn(harness, tenantId, { phone_numbers: [MAGIC] })).id);
  for (const id of ids) await submit(id);
  await harness.advance(3);
  await Promise.all(ids.map(submit));
  await harness.advance(10);
  for (const id of ids) assert.equal((await get(id)).status, 'completed');
  const holders = (await Promise.all(tenants.map(numbersOf))).flat();
  assert.deepEqual(
    holders.map(({ phone_number, status }) => [phone_number, status]),
    [[MAGIC, 'active']],
  );
});

test('of concurrent submissions of port-ins of a number one is accepted, and the others are refused', async () => {
  const tenantId = await makeTenant(harness);
  for (let round = 0; round < 5; round++) {
    const phone_numbers = [numberElsewhere(), numberElsewhere()];
    const ids: string[] = [];
    for (const numbers of [phone_numbers, phone_numbers.toReversed(), phone_numbers.slice(1)]) {
      ids.push((await makePortIn(harness, tenantId, { phone_numbers: numbers })).id);
    }
    const replies = await Promise.all(ids.map(submit));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 422, 422]);
    for (const { body } of replies.filter(({ status }) => status === 422)) {
      assert.equal(body.error.code, 'numbers_not_portable');
    }
    await harness.advance(11);
    const statuses = await Promise.all(ids.map(async (id) => (await get(id)).status));
    assert.deepEqual(statuses.sort(), ['completed', 'draft', 'draft']);
  }
});

test('a number owned here when the carrier completes its port-in stays with its owner', async () => {
  const tenantId = await makeTenant(harness);
  const phoneNumber = numberElsewhere();
  const id = await confirmed(phoneNumber, tenantId);
  const here = await buyNumber(harness, await makeTenant(harness));
  const { db } = harness.context;
  await sql(db, 'update phone_numbers set phone_number = $2 where id = $1', [here.id, phoneNumber]);
  const [row] = await sql<{ attempt: number }>(db, 'select attempt from port_ins where id = $1', [id]);
  const numbers = [{ phoneNumber, carrierRef: id, capabilities: ['voice'] as const }];
  const report = { status: 'completed', detail: null, numbers } as const;
  const event = { type: 'port_in.report', ref: id, attempt: row?.attempt ?? 0, report } as const;
  const ledger = await ledgerOf(harness, 'test');
  for (const _ of ['once', 'again']) await db.transaction((tx) => applyNumberEvents(tx, ledger, [event]));
  const { status, status_detail } = await get(id);
  assert.deepEqual([status, status_detail], ['action_needed', `${phoneNumber}: This number is already in use here.`]);
  assert.deepEqual(await numbersOf(tenantId), []);
  const refused = await submit(id);
  assert.deepEqual([refused.status, refused.body.error.code], [422, 'numbers_not_portable']);
  assert.equal((await harness.call('DELETE', `/v1/phone_numbers/${here.id}`)).status, 200);
  await harness.advance(1);
  assert.equal((await submit(id)).status, 200);
  await harness.advance(11);
  assert.equal((await get(id)).status, 'completed');
  assert.deepEqual(
    (await numbersOf(tenantId)).map(({ phone_number }) => phone_number),
    [phoneNumber],
  );
});
