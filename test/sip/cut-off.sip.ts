/** The network between the product and an engine drops every packet for a while. Calls continue without the product. */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { sql, until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { missing } from '../support/programs.ts';
import { RECORDED_USE } from '../support/recorded-use.ts';
import { openCut } from './cut.ts';
import { watchLegEnds } from './leg-ends.ts';
import { useSipLine } from './sip-line.ts';

/** Callers wait this long for the end of a cut, because a slow machine makes cuts longer. */
const CUT_S = 120;
const line = await useSipLine({ waitsS: CUT_S });
const { harness, engine, people, number, get, make, untilHas, eventsOf, route, untilQuiet } = line;
const [{ url } = assert.fail()] = engine.settings.engines;
const network = openCut(Number(new URL(url).port));
const skip = missing('nft');
const legEnds = await watchLegEnds(harness.context.db);
// Ends the cut of a failed test, so that the next test does not fail too.
afterEach(() => network.join());

const LIMIT_MS = 20_000;
/** After 30 s without an answer, the product treats an engine as lost. */
const GIVEN_UP_MS_MAX = 120_000;
const AGENT_HZ = 500;
const CUSTOMER_HZ = 700;

/** Places a click-to-call, and waits until both sides hear each other. */
async function connect() {
  const [agent, customer] = [newPerson(), newPerson()];
  people.set(agent, { frequencyHz: AGENT_HZ });
  people.set(customer, { frequencyHz: CUSTOMER_HZ });
  const { id } = await make('/calls', { from: number.id, connect_to: agent, to: customer });
  const call = { id: id as string, agent, customer };
  await until('they hear each other', () => isHeardBothWays(call), LIMIT_MS);
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  return call;
}

function isHeardBothWays({ agent, customer }: { agent: string; customer: string }): boolean {
  const talkers = people.listTalkers();
  if (!talkers.includes(agent) || !talkers.includes(customer)) return false;
  return people.phoneOf(agent).hears(CUSTOMER_HZ) && people.phoneOf(customer).hears(AGENT_HZ);
}

/** Waits until the product is connected to the engine. With false, waits until it is not. */
async function untilSeen(isHeard: boolean, limitMs = LIMIT_MS): Promise<void> {
  const metric = `dialplane_sip_engine_heard{connection="${line.connectionId}",engine="a"} ${Number(isHeard)}`;
  const shows = async () => (await harness.context.metrics.scrape()).includes(metric);
  await until(isHeard ? 'the engine is heard' : 'the loss is noticed', shows, limitMs);
}

/** Fails unless a call and each of its legs have ended once, and the call was billed once if it was connected. */
async function assertEndedOnce(id: string, { billed }: { readonly billed: number }): Promise<void> {
  await untilQuiet();
  await legEnds.assertOnce(id);
  assert.equal((await eventsOf(id, 'call.completed')).length, 1, `the ends of ${id}`);
  const usage = await sql(
    harness.context.db,
    `select 1 from ${RECORDED_USE} u
     where reference = 'call:' || $1 and kind like 'call_minute%'`,
    [id],
  );
  assert.equal(usage.length, billed, `the usage of ${id}`);
}

test('a cut is noticed; calls go on through it, and what happened meanwhile is found', {
  skip,
}, async () => {
  const [kept, ended] = [await connect(), await connect()];
  const [caller, target] = [newPerson(), newPerson()];
  await route({ type: 'ring', targets: [target], timeout_seconds: 30 });
  network.cut();
  people.hangUp(ended.customer);
  await people.callIn(caller, number.phone_number, engine.sipPort);
  await untilSeen(false);
  await until('the two still hear each other', () => isHeardBothWays(kept), LIMIT_MS);
  network.join();
  await untilSeen(true);
  await untilHas(`/calls/${ended.id}`, { status: 'completed', outcome: 'answered' });
  await until('the caller who waits is connected', () => people.listTalkers().includes(caller), LIMIT_MS);
  assert.equal(people.countCalls(target), 1);
  await until('the two still hear each other', () => isHeardBothWays(kept), LIMIT_MS);
  await untilHas(`/calls/${kept.id}`, { status: 'in_progress' });
  await make(`/calls/${kept.id}/hangup`, {}, 200);
  await untilHas(`/calls/${kept.id}`, { status: 'completed', outcome: 'answered' });
  people.hangUp(caller);
  for (const { id } of [kept, ended]) await assertEndedOnce(id, { billed: 1 });
});

test('a cut that is shorter than the question for life loses no event', { skip }, async () => {
  const { id, customer } = await connect();
  const ready = 'select ready_at from sip_engines';
  const before = await sql(harness.context.db, ready);
  network.cut();
  people.hangUp(customer);
  const cutMs = performance.now();
  await until('a second is over', () => performance.now() - cutMs > 1_000);
  network.join();
  await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
  await assertEndedOnce(id, { billed: 1 });
  assert.deepEqual(await sql(harness.context.db, ready), before);
});

test('a hang-up that is asked for in a cut is done after it', { skip }, async () => {
  const { id, agent, customer } = await connect();
  network.cut();
  await make(`/calls/${id}/hangup`, {}, 200);
  await untilSeen(false);
  await until('the two still hear each other', () => isHeardBothWays({ agent, customer }), LIMIT_MS);
  network.join();
  await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
  await assertEndedOnce(id, { billed: 1 });
});

test('a call that is placed in a cut is dialled once or fails, and ends once', { skip }, async () => {
  const [agent, customer] = [newPerson(), newPerson()];
  network.cut();
  const { id } = await make('/calls', { from: number.id, connect_to: agent, to: customer });
  await untilSeen(false);
  network.join();
  await untilSeen(true);
  // The kernel may still deliver a command that was written to the abandoned socket.
  const status = async () => (await get(`/calls/${id}`)).status as string;
  await until('it is decided', async () => ['in_progress', 'failed'].includes(await status()), LIMIT_MS);
  const isDialled = (await status()) === 'in_progress';
  if (isDialled) await make(`/calls/${id}/hangup`, {}, 200);
  await untilHas(`/calls/${id}`, { status: isDialled ? 'completed' : 'failed' });
  await assertEndedOnce(id, { billed: Number(isDialled) });
  const counts = [agent, customer].map((person) => people.countCalls(person));
  if (isDialled) assert.deepEqual(counts, [1, 1]);
  // The product may lose the engine again after the engine has dialled one person.
  else for (const count of counts) assert.ok(count <= 1, `${counts}`);
});

test('an engine that is cut off for longer is given up: its calls end once, and are hung up when it is back', {
  skip,
}, async () => {
  const call = await connect();
  network.cut();
  await until('the call has ended', async () => (await get(`/calls/${call.id}`)).ended_at !== null, GIVEN_UP_MS_MAX);
  await until('they still hear each other', () => isHeardBothWays(call), LIMIT_MS);
  network.join();
  await untilSeen(true);
  await until('they are hung up', () => !people.listTalkers().includes(call.customer), LIMIT_MS);
  await assertEndedOnce(call.id, { billed: 1 });
});
