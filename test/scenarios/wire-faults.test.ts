/**
 * Faults of a live carrier behind HTTP: lost replies whose outcome is in the book, refusals, and reports that come
 * twice or out of order.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHere } from '../support/cli-process.ts';
import type { Json } from '../support/events.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { runNow, sql, until } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { newPerson } from '../support/messages.ts';
import { findOnSale } from '../support/numbers.ts';
import { WIRE_KIND } from '../wire/adapter.ts';
import { useWireLine } from '../wire/wire-line.ts';

const { harness, wire, key, get, make, untilHas, tenant, number } = await useWireLine({ request_ms: '2000' });
const { people } = wire;
const { db } = harness.context;

const TIMES_OUT = { is: 'timeout_after_acceptance', times: 1 } as const;

type Open = { readonly id: string; readonly connection: string; readonly operation: string; readonly ref: string };

const dialplane = (...words: string[]) =>
  runHere(words, { DATABASE_URL: harness.databaseUrl, DIALPLANE_SECRET: TEST_SECRET }, [WIRE_KIND]);

/** Returns the list of `carriers reconcile`, a minute after the requests. */
async function listOpen(): Promise<Open[]> {
  await sql(db, "update carrier_requests set sent_at = sent_at - interval '1 minute' where outcome is null");
  const { code, out, err } = await dialplane('carriers', 'reconcile', '--json');
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

/** Buys a number whose order is carried out, and whose reply is lost. Returns its id. */
async function orderWithoutReply(rule: object = TIMES_OUT): Promise<string> {
  await people.faults({ rules: [{ operation: 'numbers.order', ...TIMES_OUT, ...rule }] });
  const phone_number = await findOnSale(harness, key);
  const { id, status } = await make('/phone_numbers', { tenant_id: tenant.id, phone_number });
  assert.equal(status, 'pending');
  return id;
}

const ordersOf = (ref: string) => people.carriedOut({ operation: 'numbers.order', ref });

test('the check of the connection asks the carrier', async () => {
  const findings = await harness.connections.list()[0]?.connected.check();
  assert.deepEqual(findings, [{ check: 'key', state: 'good', found: 'accepted' }]);
});

test('an order whose reply is lost is asked about, sent once, and leaves nothing to decide', async () => {
  const id = await orderWithoutReply();
  assert.deepEqual(
    (await listOpen()).map(({ operation, ref }) => [operation, ref]),
    [['order', id]],
  );
  await runNow(db, `number.order:${id}`);
  await untilHas(`/phone_numbers/${id}`, { status: 'active' });
  assert.equal(await ordersOf(id), 1);
  assert.deepEqual(await listOpen(), []);
});

test('an order that never arrived is sent again once the carrier has said so', async () => {
  const id = await orderWithoutReply({ is: 'lose' });
  assert.equal(await ordersOf(id), 0);
  await runNow(db, `number.order:${id}`);
  await untilHas(`/phone_numbers/${id}`, { status: 'active' });
  assert.equal(await ordersOf(id), 1);
});

test('a dial whose reply is lost is carried out once, and leaves nothing to decide', async () => {
  const late = { event: 'leg.ringing', is: 'delay', delayMs: 6_000, times: 1 } as const;
  await people.faults({ rules: [{ operation: 'voice.dispatch', ...TIMES_OUT }, late] });
  const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to: newPerson() });
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  const dials = "select ref, outcome from carrier_requests where operation = 'dial' and ref like $1 || '%'";
  const booked = await sql<{ ref: string; outcome: string }>(db, dials, [id]);
  assert.deepEqual(
    booked.map(({ outcome }) => outcome),
    ['accepted', 'accepted'],
  );
  for (const { ref } of booked) assert.equal(await people.carriedOut({ operation: 'voice.dispatch', ref }), 1);
  await make(`/calls/${id}/hangup`, {}, 200);
  assert.deepEqual(await listOpen(), []);
});

/** Orders numbers through a connection whose carrier cannot report the outcome of an order. */
async function orderByMute(): Promise<void> {
  if (harness.connections.list().some(({ name }) => name === 'mute')) return;
  const { url, key: wireKey, secret } = wire;
  await addConnection(harness.context, {
    kind: 'wire',
    name: 'mute',
    settings: { url, public_url: harness.url, request_ms: '2000', askable: 'no' },
    credentials: { key: wireKey, secret },
    capabilities: ['numbers'],
  });
  await harness.connections.refresh();
}

for (const verdict of ['accepted', 'absent'] as const) {
  test(`an order that the carrier cannot tell about waits for a person, who says that it is ${verdict}`, async () => {
    await orderByMute();
    const fault = verdict === 'accepted' ? TIMES_OUT.is : 'lose';
    const id = await orderWithoutReply({ is: fault });
    await runNow(db, `number.order:${id}`);
    assert.equal((await get(`/phone_numbers/${id}`)).status, 'pending');
    assert.equal(await ordersOf(id), verdict === 'accepted' ? 1 : 0, 'it is not sent again blindly');
    const open = (await listOpen()).find(({ ref }) => ref === id) ?? assert.fail('it is not listed');
    assert.deepEqual([open.connection, open.operation], ['mute', 'order']);
    const settled = await dialplane('carriers', 'reconcile', '--settle', open.id, verdict);
    assert.equal(settled.code, 0, settled.err);
    await runNow(db, `number.order:${id}`);
    await untilHas(`/phone_numbers/${id}`, { status: 'active' });
    assert.equal(await ordersOf(id), 1);
    assert.deepEqual(await listOpen(), []);
  });
}

async function inboundOf(person: string): Promise<string[]> {
  const { data } = await get('/messages?direction=inbound&limit=100');
  return data.filter(({ from }: Json) => from === person).map(({ body }: Json) => body);
}

const sendTo = (to: string, body = 'Your appointment is tomorrow at 9.') =>
  make('/messages', { from: number.id, to, body });

for (const is of ['timeout_after_acceptance', '500', '429', 'lose'] as const) {
  test(`a send that meets the fault ${is} is carried out once, and delivered`, async () => {
    // The receipt is late, so that it cannot settle the outcome of the send.
    const late = { event: 'message.receipt', is: 'delay', delayMs: 6_000, times: 1 } as const;
    await people.faults({ rules: [{ operation: 'messaging.send', is, times: 1 }, late] });
    const { id } = await sendTo(newPerson());
    await untilHas(`/messages/${id}`, { status: 'delivered' });
    assert.equal(await people.carriedOut({ operation: 'messaging.send', ref: id }), 1);
    assert.equal(await people.struck({}), 2);
  });

  test(`a call whose commands meet the fault ${is} is connected and ended, and each is carried out once`, async () => {
    await people.faults({ rules: [{ operation: 'voice.dispatch', is, times: 3 }] });
    const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to: newPerson() });
    await untilHas(`/calls/${id}`, { status: 'in_progress' });
    await make(`/calls/${id}/hangup`, {}, 200);
    await untilHas(`/calls/${id}`, { status: 'completed' });
    assert.equal(await people.struck({}), 3);
    const repeated = (await people.repeated({})).filter((name) => name.startsWith('voice.dispatch'));
    assert.deepEqual(repeated, []);
  });
}

test('texts of a person that are reported twice, late and out of order are stored once each', async () => {
  const rules = (['duplicate', 'disorder', 'delay', 'duplicate'] as const).map(
    (is) => ({ event: 'message.received', is, times: 2 }) as const,
  );
  await people.faults({ rules });
  const person = newPerson();
  const bodies = Array.from({ length: 8 }, (_, index) => `Text ${index}`);
  for (const body of bodies) await people.textIn({ from: person, to: number.phone_number, body });
  await people.drained({});
  assert.equal(await people.struck({}), 8);
  await until('all have arrived', async () => (await inboundOf(person)).length === bodies.length);
  assert.deepEqual((await inboundOf(person)).sort(), bodies);
});

test('a call whose reports come twice and out of order is connected, and has one end', async () => {
  const rules = [
    { event: 'leg.answered', is: 'disorder', delayMs: 300, times: 1 },
    { event: 'leg.answered', is: 'duplicate', times: 1 },
    { event: 'leg.ended', is: 'duplicate', times: 2 },
  ] as const;
  await people.faults({ rules });
  const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to: newPerson() });
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  await make(`/calls/${id}/hangup`, {}, 200);
  await untilHas(`/calls/${id}`, { status: 'completed' });
  await until('every fault has struck', async () => (await people.struck({})) === 4);
  await people.drained({});
  const { data } = await get(`/events?resource_id=${id}&limit=100`);
  assert.equal(data.filter(({ type }: Json) => type === 'call.completed').length, 1);
});
