/** Calls are spread over two engines. One engine is killed: its calls end once, and the calls of the other continue. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql, until } from '../support/jobs.ts';
import { useSipSite } from './sip-site.ts';

const LIMIT_MS = 40_000;
const CALLS = 6;

const site = await useSipSite({ names: ['a', 'b'] });
const { db, engines, get, people, connect, hearEachOther, untilIs } = site;
const [first = assert.fail(), second = assert.fail()] = engines;

const engineOf = async (id: string): Promise<string | undefined> =>
  (await sql<{ engine: string }>(db, 'select engine from sip_legs where call_ref = $1 limit 1', [id]))[0]?.engine;

test('an engine that is killed ends its calls, once; the calls of the other go on, and it gets the new ones', async () => {
  const calls = await Promise.all(Array.from({ length: CALLS }, connect));
  const places = await Promise.all(calls.map(async (each) => ({ ...each, engine: await engineOf(each.id) })));
  const lost = places.filter(({ engine }) => engine === 'a');
  const kept = places.filter(({ engine }) => engine === 'b');
  // A call is on either engine with even odds. So with six calls, all are on the same engine in one of 32 runs.
  if (lost.length === 0) lost.push(await placeAt('a'));
  if (kept.length === 0) kept.push(await placeAt('b'));
  await site.untilSeen(Date.now());
  await first.kill();
  for (const { id } of lost) await untilIs(id, { status: 'completed', outcome: 'answered' });
  for (const each of kept) await until('the calls of the other engine go on', () => hearEachOther(each), LIMIT_MS);
  const next = await connect();
  assert.equal(await engineOf(next.id), 'b');
  for (const { id, customer } of [...kept, next]) {
    people.hangUp(customer);
    await untilIs(id, { status: 'completed', outcome: 'answered' });
  }
  await first.start();
  await until('both take calls', async () => (await placeAt('a')).engine === 'a', LIMIT_MS);
  for (const { id } of (await get('/calls?status=in_progress')).data) await site.make(`/calls/${id}/hangup`, {}, 200);
  for (const { id } of [...places, next]) await site.assertEndedOnce(id, { billed: 1 });
  assert.deepEqual(await second.listChannels(), []);
});

/** Places calls until one is on this engine, and hangs the others up. */
async function placeAt(name: string) {
  for (;;) {
    const placed = await connect();
    const engine = await engineOf(placed.id);
    if (engine === name) return { ...placed, engine };
    people.hangUp(placed.customer);
  }
}
