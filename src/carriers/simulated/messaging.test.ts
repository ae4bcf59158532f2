import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, testLedger } from '../../../test/support/events.ts';
import { sql, until } from '../../../test/support/jobs.ts';
import { arrive, newPerson, outboxOf, read, sendText, setFault } from '../../../test/support/messages.ts';
import { eventsOf, makeLine, useLine } from '../../../test/support/numbers.ts';
import { MAGIC } from './magic-numbers.ts';

const { harness, number } = await useLine({ startWorkers: false });

const get = (id: string): Promise<Json> => read(harness, `/messages/${id}`);
const send = (to = newPerson(), body = 'Hello') => sendText(harness, number.id, to, body);
const historyOf = async (id: string): Promise<{ status: string; afterMs: number }[]> => {
  const message = await get(id);
  const start = Date.parse(message.created_at);
  return message.status_history.map(({ status, at }: Json) => ({ status, afterMs: Date.parse(at) - start }));
};
/** Compares with a tolerance of 5 s, because the ledger's clock runs in real time and a machine may be slow. */
const near = (actual: number, expected: number) =>
  assert.ok(actual > expected - 700 && actual < expected + 5_000, `${actual} ms`);

test('a receipt comes 1 s later in ledger time, also after a long jump of the clock', async () => {
  const { id } = await send();
  await harness.advance(40 * 86_400);
  const [, delivered] = await historyOf(id);
  assert.equal(delivered?.status, 'delivered');
  near(delivered?.afterMs ?? 0, 1_000);
  const [event] = await eventsOf(harness, id);
  assert.equal(event?.type, 'message.delivered');
});

test('there is no receipt before the second has passed', async () => {
  const { id } = await send();
  await harness.advance(2);
  const [queued, delivered] = await historyOf(id);
  assert.deepEqual([queued?.status, delivered?.status], ['queued', 'delivered']);
  assert.ok((delivered?.afterMs ?? 0) >= 1_000, `${delivered?.afterMs} ms`);
});

test('a text to +15005550001 is accepted and then not delivered', async () => {
  const { id } = await send(MAGIC.deliveryFails, 'never seen');
  await harness.advance(0);
  assert.deepEqual(await outboxOf(harness, MAGIC.deliveryFails), [], 'not in the outbox before its receipt either');
  await harness.advance(2);
  assert.equal((await get(id)).error_code, 'carrier_rejected');
  const [event] = await eventsOf(harness, id);
  const { failure_reason } = (event?.data ?? {}) as { failure_reason?: string };
  assert.deepEqual([event?.type, failure_reason], ['message.failed', 'carrier_rejected']);
});

test('+15005550002 replies STOP to the first text only', async () => {
  const own = await makeLine(harness);
  const texts = [1, 2, 3].map((n) => sendText(harness, own.number.id, MAGIC.repliesStop, `${n}`));
  const [first] = await Promise.all(texts);
  await harness.advance(5);
  assert.equal((await get(first.id)).status, 'delivered');
  const stops = async () =>
    (await read(harness, `/messages?tenant_id=${own.tenantId}&direction=inbound`)).data.map(({ body }: Json) => body);
  assert.deepEqual(await stops(), ['STOP']);
  const blocked = await harness.call('POST', '/v1/messages/check', {
    body: { from: own.number.id, to: MAGIC.repliesStop, body: 'Hi' },
  });
  assert.equal(blocked.body.error.code, 'recipient_opted_out');
  await arrive(harness, MAGIC.repliesStop, own.number.phone_number, 'START');
  await sendText(harness, own.number.id, MAGIC.repliesStop);
  await harness.advance(5);
  assert.deepEqual(await stops(), ['START', 'STOP']);
});

test('a text to +15005550009 fails with send_failed after retries, and reaches no handset', async () => {
  const { id } = await send(MAGIC.sendFails);
  await harness.advance(1);
  assert.equal((await get(id)).status, 'queued');
  await harness.advance(10);
  const message = await get(id);
  assert.deepEqual([message.status, message.error_code], ['failed', 'send_failed']);
  assert.deepEqual(await outboxOf(harness, MAGIC.sendFails), []);
});

test('a text to a number of the ledger arrives there, and STOP between two such numbers causes no loop', async () => {
  const [a, b] = [await makeLine(harness), await makeLine(harness)];
  await sendText(harness, a.number.id, b.number.phone_number, 'Hi neighbour');
  await harness.advance(2);
  const inbound = async (tenantId: string) =>
    (await read(harness, `/messages?tenant_id=${tenantId}&direction=inbound`)).data.map(({ body }: Json) => body);
  assert.deepEqual(await inbound(b.tenantId), ['Hi neighbour']);
  await sendText(harness, a.number.id, b.number.phone_number, 'STOP');
  await sendText(harness, b.number.id, a.number.phone_number, 'HELP').catch(() => undefined);
  await harness.advance(600);
  const [toA, toB] = [await inbound(a.tenantId), await inbound(b.tenantId)];
  assert.ok(toA.length <= 2 && toB.length <= 3, JSON.stringify([toA, toB]));
  assert.ok(toA.some((body: string) => body.includes('unsubscribed')));
  const [left] = await sql<{ jobs: number }>(
    harness.context.db,
    `select count(*)::int as jobs from jobs where queue = 'messaging'`,
  );
  assert.equal(left?.jobs, 0, 'no job is left');
});

test('the fault delay delays the set number of receipts by the set time', async () => {
  await setFault(harness, { kind: 'delay', times: 1, delay_seconds: 60 });
  const slow = await send();
  await harness.advance(0);
  const quick = await send();
  await harness.advance(30);
  assert.deepEqual([(await get(slow.id)).status, (await get(quick.id)).status], ['queued', 'delivered']);
  await harness.advance(40);
  near((await historyOf(slow.id))[1]?.afterMs ?? 0, 61_000);
});

test('the fault drop loses the receipt, not the text', async () => {
  await setFault(harness, { kind: 'drop', times: 1 });
  const { id, to } = await send();
  await harness.advance(3_600);
  assert.equal((await get(id)).status, 'queued');
  assert.equal((await outboxOf(harness, to)).length, 1);
});

test('the fault duplicate reports a receipt twice, and one event is emitted', async () => {
  await setFault(harness, { kind: 'duplicate', times: 2 });
  const ids = [(await send()).id, (await send()).id, (await send()).id];
  await harness.advance(5);
  for (const id of ids) assert.equal((await eventsOf(harness, id)).length, 1);
  const [fault] = await sql<{ remaining: number }>(
    harness.context.db,
    `select remaining from simulated_faults where kind = 'duplicate'`,
  );
  assert.equal(fault?.remaining, 0, 'one use a text');
});

test('the fault reorder reports the second text before the first', async () => {
  await setFault(harness, { kind: 'reorder', times: 2 });
  const first = await send();
  await harness.advance(0);
  const second = await send();
  await harness.advance(10);
  const at = async (id: string) => Date.parse((await get(id)).status_history[1].at);
  assert.ok((await at(second.id)) < (await at(first.id)));
});

test('the fault send_unavailable leads to a retry, and uses up no fault of accepted texts', async () => {
  await setFault(harness, { kind: 'send_unavailable', times: 2 });
  await setFault(harness, { kind: 'delay', times: 1, delay_seconds: 20 });
  const { id, to } = await send();
  await harness.advance(10);
  assert.equal((await get(id)).status, 'queued');
  await harness.advance(20);
  near((await historyOf(id))[1]?.afterMs ?? 0, 22_500);
  assert.equal((await outboxOf(harness, to)).length, 1);
  await setFault(harness, { kind: 'send_unavailable' });
  const lost = await send();
  await harness.advance(10);
  assert.equal((await get(lost.id)).error_code, 'send_failed');
  await setFault(harness, { kind: 'send_unavailable', times: 0 });
});

test('the fault send_unknown loses the answer, and the text is delivered once', async () => {
  await setFault(harness, { kind: 'send_unknown', times: 1 });
  const { id, to } = await send();
  await harness.advance(10);
  assert.deepEqual(
    (await historyOf(id)).map(({ status }) => status),
    ['queued', 'delivered'],
  );
  assert.equal((await outboxOf(harness, to)).length, 1);
});

test('faults of one ledger do not affect another', async () => {
  const stranger = await harness.secondAccount();
  const body = { kind: 'drop' };
  await harness.call('POST', '/v1/test/faults', { key: stranger.test_key, body });
  const { id } = await send();
  await harness.advance(3);
  assert.equal((await get(id)).status, 'delivered');
  assert.ok((await testLedger(harness)) > 0);
});

test('texts that arrive together share a job for their receipts; one whose report fails delays no other', async () => {
  const texts: Json[] = [];
  for (const to of Array.from({ length: 8 }, newPerson)) texts.push(await sendText(harness, number.id, to));
  await harness.advance(0);
  const { db } = harness.context;
  const jobs = await sql<{ n: number }>(
    db,
    `select json_array_length(payload -> 'refs') as n from jobs where kind like 'simulated.receipt%'`,
  );
  assert.deepEqual(jobs, [{ n: 8 }]);
  const stuck = texts[3]?.id;
  await sql(
    db,
    `create function refuse_event() returns trigger language plpgsql as $$ begin raise 'no event of this text'; end $$`,
  );
  await sql(
    db,
    `create trigger refuse_event before insert on events for each row when (new.resource_id = '${stuck}')
     execute function refuse_event()`,
  );
  const statuses = () =>
    sql<{ status: string }>(db, 'select status from messages where id = any($1) order by id', [
      texts.map(({ id }) => id),
    ]).then((rows) => rows.map(({ status }) => status));
  await until('the others are delivered', async () => {
    await harness.advance(1);
    return (await statuses()).filter((status) => status === 'delivered').length === 7;
  });
  assert.equal((await statuses())[3], 'queued');
  await sql(db, 'drop trigger refuse_event on events');
  await until('it is delivered too', async () => {
    await harness.advance(1);
    return (await statuses())[3] === 'delivered';
  });
});
