import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { withPort } from '../../../../test/support/carrier-ports.ts';
import { type Json, listEvents } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { buyNumber, eventsOf, findOnSale, makeTenant, useTenant } from '../../../../test/support/numbers.ts';
import { makePortIn, numberElsewhere, PORT_DETAILS } from '../../../../test/support/port-ins.ts';
import type { PortInOrder, PortingPort } from '../../../carriers/ports/porting.ts';
import { runLedgerDue } from '../../../test-clock/run-due.ts';

// Live ledgers use the simulated network too, to test their differences.
const { harness, tenantId } = await useTenant({ startWorkers: false, liveCarrier: ({ simulated }) => simulated });

const act = (id: string, verb: string, headers: Record<string, string> = {}) =>
  harness.call('POST', `/v1/port_ins/${id}/${verb}`, { headers });
const get = async (id: string): Promise<Json> => (await harness.call('GET', `/v1/port_ins/${id}`)).body;
const play = (id: string, status: string, status_detail?: string) =>
  harness.call('POST', `/v1/test/port_ins/${id}/advance`, {
    body: { status, ...(status_detail && { status_detail }) },
  });

async function submitted(change: object = {}): Promise<Json> {
  const { id } = await makePortIn(harness, tenantId, change);
  const reply = await act(id, 'submit');
  assert.equal(reply.status, 200);
  return reply.body;
}

const statusesIn = async (id: string) =>
  (await eventsOf(harness, id)).map(({ type, data }) => [type, data.previous_status, data.status]);

const numbersOf = async (owner: string): Promise<Json[]> =>
  (await harness.call('GET', `/v1/phone_numbers?tenant_id=${owner}&limit=100`)).body.data;

test('a port-in has its date 5 s after submission, and the tenant gets the numbers 10 s after submission', async () => {
  const owner = await makeTenant(harness);
  const phone_numbers = [numberElsewhere(), numberElsewhere()];
  const { id } = await makePortIn(harness, owner, { phone_numbers });
  const { body: sent } = await act(id, 'submit');
  assert.deepEqual([sent.status, sent.foc_date], ['in_review', null]);
  // The ledger's clock also runs in real time: 4 s are left for a slow machine.
  await harness.advance(1);
  assert.equal((await get(id)).status, 'in_review');
  await harness.advance(4);
  const confirmed = await get(id);
  assert.equal(confirmed.status, 'foc_confirmed');
  assert.ok(Date.parse(confirmed.foc_date) > Date.parse(confirmed.created_at) + 9_000);
  assert.deepEqual(await numbersOf(owner), []);
  await harness.advance(5);
  assert.deepEqual(await get(id), { ...confirmed, status: 'completed' });
  const numbers = await numbersOf(owner);
  assert.deepEqual(numbers.map((each) => each.phone_number).sort(), phone_numbers);
  for (const number of numbers) {
    assert.deepEqual([number.status, number.capabilities], ['active', ['sms', 'mms', 'voice']]);
    assert.deepEqual(await statusesIn(number.id), [['number.status_changed', 'pending', 'active']]);
    const body = { from: number.id, to: '+14805551234', body: 'Hello' };
    assert.equal((await harness.call('POST', '/v1/messages', { body })).status, 201);
  }
  assert.deepEqual(await statusesIn(id), [
    ['port_in.status_changed', 'draft', 'in_review'],
    ['port_in.status_changed', 'in_review', 'foc_confirmed'],
    ['port_in.status_changed', 'foc_confirmed', 'completed'],
  ]);
  const [submittedMs, ...laterMs] = (await listEvents(harness, id)).map(({ created_at }) => Date.parse(created_at));
  const [confirmedAfterMs = 0, completedAfterMs = 0] = laterMs.map((ms) => ms - (submittedMs ?? 0));
  // The event of a change is stored a moment after the time that its timers count from.
  assert.ok(confirmedAfterMs >= 4_900 && completedAfterMs >= 9_900, `${confirmedAfterMs} and ${completedAfterMs} ms`);
  const [row] = await sql<{ pin: null }>(harness.context.db, 'select pin from port_ins where id = $1', [id]);
  assert.equal(row?.pin, null);
});

test('+15005550005 needs action after 3 s, and completes once corrected and submitted again', async () => {
  const { id } = await submitted({ phone_numbers: ['+15005550005'] });
  await harness.advance(3);
  const stopped = await get(id);
  assert.equal(stopped.status, 'action_needed');
  assert.ok(stopped.status_detail.length > 0);
  await harness.advance(60);
  assert.equal((await get(id)).status, 'action_needed');
  const corrected = await harness.call('PATCH', `/v1/port_ins/${id}`, { body: { pin: '4711' } });
  assert.equal(corrected.status, 200);
  const again = (await act(id, 'submit')).body;
  assert.deepEqual([again.status, again.status_detail], ['in_review', null]);
  await harness.advance(10);
  assert.equal((await get(id)).status, 'completed');
});

test('the carrier gets the PIN and all other details', async () => {
  const orders: PortInOrder[] = [];
  const spying = (simulated: PortingPort): PortingPort => ({
    ...simulated,
    submitPortIn: async (ledger, order) => {
      orders.push(order);
      return simulated.submitPortIn(ledger, order);
    },
  });
  await withPort(harness, 'porting', spying, async () => {
    const { id } = await submitted();
    await harness.advance(1);
    const [order] = orders;
    assert.deepEqual([orders.length, order?.ref, order?.attempt, order?.pin], [1, id, 1, PORT_DETAILS.pin]);
    assert.deepEqual(order?.serviceAddress, PORT_DETAILS.service_address);
  });
});

test('a submission that the carrier refuses needs action, and one without an answer is retried', async () => {
  let answers = 0;
  const failing = (simulated: PortingPort): PortingPort => ({
    ...simulated,
    submitPortIn: async () =>
      answers++ === 0 ? { outcome: 'unavailable' } : { outcome: 'rejected', reason: 'No such account.' },
  });
  await withPort(harness, 'porting', failing, async () => {
    const { id } = await submitted();
    await harness.advance(60);
    const { status, status_detail } = await get(id);
    assert.deepEqual([answers, status, status_detail], [2, 'action_needed', 'No such account.']);
  });
});

test('a cancelled port-in stays cancelled, and a repeated cancellation is no error', async () => {
  for (const afterS of [null, 0, 2]) {
    const { id } = await makePortIn(harness, tenantId);
    if (afterS !== null) await act(id, 'submit');
    if (afterS !== null) await harness.advance(afterS);
    const cancelled = await act(id, 'cancel');
    assert.deepEqual([cancelled.status, cancelled.body.status], [200, 'cancelled']);
    const events = await statusesIn(id);
    assert.deepEqual((await act(id, 'cancel')).body, cancelled.body);
    await harness.advance(60);
    assert.equal((await get(id)).status, 'cancelled');
    assert.deepEqual(await statusesIn(id), events);
    assert.equal(events.at(-1)?.[2], 'cancelled');
  }
});

test('a cancellation is accepted while the carrier stores the corrected submission', async (t) => {
  const { db } = harness.context;
  const { id } = await submitted({ phone_numbers: ['+15005550005'] });
  await harness.advance(3);
  assert.equal((await act(id, 'submit')).body.status, 'in_review');
  let isStored = false;
  const { query } = db;
  t.mock.method(db, 'query', async (...[wanted, values]: Parameters<typeof query>) => {
    if (!isStored && /^simulated_port_ins_(cancel|move)$/.test(wanted.name)) {
      isStored = true;
      await sql(db, "update simulated_port_ins set attempt = 2, status = 'in_review' where ref = $1", [id]);
    }
    return query.call(db, wanted, values);
  });
  const reply = await act(id, 'cancel');
  assert.deepEqual([isStored, reply.status, reply.body.status], [true, 200, 'cancelled']);
});

test('once the date is confirmed a port-in cannot be cancelled', async () => {
  const { id } = await submitted();
  for (const afterS of [5, 5]) {
    await harness.advance(afterS);
    const reply = await act(id, 'cancel');
    assert.deepEqual([reply.status, reply.body.error.code], [409, 'port_in_not_cancellable']);
  }
});

test('the carrier decides on a cancellation', async () => {
  const refusing = (simulated: PortingPort): PortingPort => ({
    ...simulated,
    cancelPortIn: async () => ({ outcome: 'rejected', reason: 'too_late' }),
  });
  const { id } = await submitted();
  await withPort(harness, 'porting', refusing, async () => {
    const reply = await act(id, 'cancel');
    assert.deepEqual([reply.status, reply.body.error.code], [409, 'port_in_not_cancellable']);
  });
  assert.equal((await get(id)).status, 'in_review');
});

test('a cancellation interrupted by a crash is finished, and its repeat gets the reply', async () => {
  const crashing = (simulated: PortingPort): PortingPort => ({
    ...simulated,
    cancelPortIn: async () => {
      throw new Error('the process ends here');
    },
  });
  await harness.call('POST', '/v1/test/reviews', { body: { mode: 'manual' } });
  const { id } = await submitted();
  await harness.advance(0);
  const headers = { 'idempotency-key': randomUUID() };
  await withPort(harness, 'porting', crashing, async () =>
    assert.equal((await act(id, 'cancel', headers)).status, 500),
  );
  assert.equal((await get(id)).status, 'in_review');
  await harness.advance(31);
  await harness.call('POST', '/v1/test/reviews', { body: { mode: 'auto' } });
  const repeat = await act(id, 'cancel', headers);
  assert.deepEqual([repeat.status, repeat.body.status], [200, 'cancelled']);
  assert.equal(repeat.headers.get('idempotent-replayed'), 'true');
});

test('with manual reviews a port-in waits for a simulated report', async () => {
  await harness.call('POST', '/v1/test/reviews', { body: { mode: 'manual' } });
  const { id, phone_numbers } = await submitted();
  await harness.advance(0);
  await harness.call('POST', '/v1/test/reviews', { body: { mode: 'auto' } });
  await harness.advance(600);
  assert.equal((await get(id)).status, 'in_review');
  const stopped = await play(id, 'action_needed', 'The PIN is wrong.');
  assert.deepEqual([stopped.status, stopped.body.status_detail], [200, 'The PIN is wrong.']);
  await harness.call('POST', '/v1/test/reviews', { body: { mode: 'manual' } });
  await act(id, 'submit');
  await harness.advance(0);
  await harness.call('POST', '/v1/test/reviews', { body: { mode: 'auto' } });
  const confirmed = (await play(id, 'foc_confirmed')).body;
  assert.ok(Date.parse(confirmed.foc_date) > 0);
  const completed = (await play(id, 'completed')).body;
  assert.deepEqual([completed.status, completed.foc_date], ['completed', confirmed.foc_date]);
  assert.ok((await numbersOf(tenantId)).some((each) => each.phone_number === phone_numbers[0]));
});

test('a port-in of a number that is bought in the meantime needs action', async () => {
  const phoneNumber = await findOnSale(harness);
  const { id } = await submitted({ phone_numbers: [phoneNumber] });
  await harness.advance(6);
  const body = { tenant_id: tenantId, phone_number: phoneNumber };
  assert.equal((await harness.call('POST', '/v1/phone_numbers', { body })).status, 201);
  await harness.advance(5);
  assert.equal((await get(id)).status, 'action_needed');
});

test('a released number can be ported in', async () => {
  const { id, phone_number } = await buyNumber(harness, tenantId);
  await harness.call('DELETE', `/v1/phone_numbers/${id}`);
  await harness.advance(1);
  const portIn = await submitted({ phone_numbers: [phone_number] });
  await harness.advance(10);
  assert.equal((await get(portIn.id)).status, 'completed');
});

test('deleting a tenant cancels its open port-ins and releases the numbers of completed ones', async () => {
  const owner = await makeTenant(harness);
  const ids: string[] = [];
  for (const afterS of [null, 0, 5, 10]) {
    const { id } = await makePortIn(harness, owner);
    ids.unshift(id);
    if (afterS === null) continue;
    await act(id, 'submit');
    await harness.advance(afterS);
  }
  const statuses = async () => Promise.all(ids.map(async (id) => (await get(id)).status));
  assert.equal((await harness.call('DELETE', `/v1/tenants/${owner}`)).status, 204);
  const after = await statuses();
  assert.deepEqual(new Set(after), new Set(['completed', 'cancelled']));
  await harness.advance(60);
  assert.deepEqual(await statuses(), after);
  assert.deepEqual(await numbersOf(owner), []);
});

test('a ported live number is in the directory of live numbers', async () => {
  const key = harness.account.live_key;
  const owner = await makeTenant(harness, key);
  const { id, phone_numbers } = await makePortIn(harness, owner, {}, key);
  const { db } = harness.context;
  assert.equal((await harness.call('POST', `/v1/port_ins/${id}/submit`, { key })).status, 200);
  // The clock of a live ledger cannot be moved: the test makes its jobs due instead.
  for (let round = 0; round < 3; round++) {
    await sql(db, `update jobs set run_at = run_at - interval '1 hour' where kind like '%port_in%'`);
    const [job] = await sql<{ ledger_id: number }>(
      db,
      `select ledger_id from jobs where kind like '%port_in%' limit 1`,
    );
    if (job !== undefined) await runLedgerDue(harness.workers.ledgerWork, job.ledger_id);
  }
  const status = (await harness.call('GET', `/v1/port_ins/${id}`, { key })).body.status;
  assert.equal(status, 'completed');
  const rows = await sql<{ number_id: string }>(db, 'select number_id from live_numbers where phone_number = $1', [
    phone_numbers[0],
  ]);
  assert.match(rows[0]?.number_id ?? '', /^num_/);
});
