/** Requests to a carrier whose replies are lost: the book says what they were, and what became of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHere } from '../support/cli-process.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { runNow, sql } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { newPerson } from '../support/messages.ts';
import { findOnSale } from '../support/numbers.ts';
import { WIRE_KIND } from '../wire/adapter.ts';
import { useWireLine } from '../wire/wire-line.ts';

const { harness, wire, key, get, make, untilHas, tenant, number } = await useWireLine({ request_ms: '3000' });
const { people } = wire;
const { db } = harness.context;

const TIMES_OUT = { is: 'timeout_after_acceptance', times: 1 } as const;

type Open = { readonly id: string; readonly connection: string; readonly operation: string; readonly ref: string };

const dialplane = (...words: string[]) =>
  runHere(words, { DATABASE_URL: harness.databaseUrl, DIALPLANE_SECRET: TEST_SECRET }, [WIRE_KIND]);

/** Returns what `carriers reconcile` lists, a minute later than the requests. */
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

/** Orders numbers by a connection whose carrier cannot say what became of an order. */
async function orderByMute(): Promise<void> {
  if (harness.connections.list().some(({ name }) => name === 'mute')) return;
  const { url, key: wireKey, secret } = wire;
  await addConnection(harness.context, {
    kind: 'wire',
    name: 'mute',
    settings: { url, public_url: harness.url, request_ms: '3000', askable: 'no' },
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
