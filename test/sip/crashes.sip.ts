/**
 * Processes of the product are killed in the middle of calls over a real engine. Each call ends once and is billed
 * once.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql, until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { useSipSite } from './sip-site.ts';

const LIMIT_MS = 40_000;

const site = await useSipSite();
const { db, people, engine, number, get, make, untilIs, untilSeen, place, connect, untilConnected, hearEachOther } =
  site;

test('a call goes on while the process is killed and started again, takes commands after it, and ends once', async () => {
  const placed = await connect();
  await site.killAndStart();
  await until('they still hear each other', () => hearEachOther(placed), LIMIT_MS);
  await make(`/calls/${placed.id}/hangup`, {}, 200);
  await untilIs(placed.id, { status: 'completed', outcome: 'answered' });
  await until('both have been hung up', () => !people.listTalkers().includes(placed.customer), LIMIT_MS);
  await site.assertEndedOnce(placed.id, { billed: 1 });
});

test('a hang-up while no process runs is found by the next one, and the time after it is not billed', async () => {
  const { id, customer } = await connect();
  await site.untilSeen(Date.now());
  let killedMs = 0;
  await site.killAndStart(() => {
    killedMs = Date.now();
    people.hangUp(customer);
  });
  await untilIs(id, { status: 'completed', outcome: 'answered' });
  await site.assertEndedOnce(id, { billed: 1 });
  const { ended_at } = await get(`/calls/${id}`);
  assert.ok(Date.parse(ended_at) <= killedMs, `it ended at ${ended_at}, after ${new Date(killedMs).toISOString()}`);
});

test('a call that is answered while no process runs is connected by the next one', async () => {
  const placed = await place(1_500);
  await until('both ring', async () => (await engine.listChannels()).length === 2, LIMIT_MS);
  await site.killAndStart();
  await untilConnected(placed);
  people.hangUp(placed.agent);
  await untilIs(placed.id, { status: 'completed', outcome: 'answered' });
  await site.assertEndedOnce(placed.id, { billed: 1 });
});

test('a call that rings when the process is killed can be hung up afterwards, and costs nothing', async () => {
  const { id } = await place(null);
  await until('both have channels', async () => (await engine.listChannels()).length === 2, LIMIT_MS);
  await site.killAndStart();
  await make(`/calls/${id}/hangup`, {}, 200);
  await until('it has ended', async () => (await get(`/calls/${id}`)).ended_at !== null, LIMIT_MS);
  await site.assertEndedOnce(id, { billed: 0 });
});

test('somebody who calls while the process is stopped and started again is answered', async () => {
  const [caller, target] = [newPerson(), newPerson()];
  await site.route({ type: 'ring', targets: [target] });
  await site.product().stop();
  const stoppedMs = Date.now();
  await people.callIn(caller, number.phone_number, engine.sipPort);
  site.use(await site.start());
  await untilSeen(stoppedMs);
  const find = async () => (await get('/calls?limit=5')).data.find(({ from }: { from: string }) => from === caller);
  await until('the call has arrived', async () => (await find()) !== undefined, LIMIT_MS);
  const { id } = await find();
  await untilIs(id, { status: 'in_progress' });
  await until('the target talks', () => people.listTalkers().includes(target), LIMIT_MS);
  people.hangUp(target);
  await untilIs(id, { status: 'completed' });
  await site.assertEndedOnce(id, { billed: 1 });
});

test('somebody who calls, and whose call is being received when the process is killed, is answered', async () => {
  const [caller, target] = [newPerson(), newPerson()];
  await site.route({ type: 'ring', targets: [target] });
  const waits = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const find = () => sql<{ id: string }>(db, 'select id from calls where "from" = $1', [caller]);
  await db.transaction(async (tx) => {
    // The lock prevents writes of calls, but their number can be read.
    await sql(tx, 'lock table calls in share mode');
    await people.callIn(caller, number.phone_number, engine.sipPort);
    await until('the call is being received', async () => (await sql(db, waits)).length > 0, LIMIT_MS);
    await site.product().kill();
  });
  await until('the receiving has ended', async () => (await sql(db, waits)).length === 0, LIMIT_MS);
  assert.deepEqual(await find(), []);
  const killedMs = Date.now();
  site.use(await site.start());
  await untilSeen(killedMs);
  await until('the call has arrived', async () => (await find()).length > 0, LIMIT_MS);
  const [{ id } = assert.fail(), ...others] = await find();
  assert.deepEqual(others, []);
  await untilIs(id, { status: 'in_progress' });
  await until('the target talks', () => people.listTalkers().includes(target), LIMIT_MS);
  people.hangUp(target);
  await untilIs(id, { status: 'completed' });
  await site.assertEndedOnce(id, { billed: 1 });
});

test('the second of two processes takes the engine of the first, which is killed, and controls its calls', async () => {
  const second = await site.start(1);
  const placed = await connect();
  await site.product().kill();
  const killedMs = Date.now();
  site.use(second);
  await untilSeen(killedMs);
  await until('they still hear each other', () => hearEachOther(placed), LIMIT_MS);
  people.hangUp(placed.agent);
  await untilIs(placed.id, { status: 'completed', outcome: 'answered' });
  await site.assertEndedOnce(placed.id, { billed: 1 });
  await second.kill();
});
