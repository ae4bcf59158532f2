import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { after, every, monotonicMs, now } from '../../src/lib/time/time.ts';
import { countPartner, forgetWaits } from './in-flight.ts';
import { sql, until, useJobsDatabase } from './jobs.ts';
import { skip, skipWhile, sleep } from './stepping-time.ts';

const { db } = await useJobsDatabase();

/** Returns how many milliseconds PostgreSQL's clock is ahead of the clock of this process. */
async function databaseAheadMs(): Promise<number> {
  const [row] = await sql<{ at: Date }>(db, 'select clock_timestamp() as at', []);
  return (row?.at.getTime() ?? 0) - now();
}

test('an hour passes at once for this process, and for its database', async () => {
  const [realMs, wallMs, steppedMs] = [Date.now(), now(), monotonicMs()];
  await skip(3_600_000);
  assert.ok(monotonicMs() - steppedMs >= 3_600_000);
  // The wall time is in whole milliseconds.
  assert.ok(now() - wallMs >= 3_599_999);
  assert.ok(Date.now() - realMs < 3_600_000);
  assert.ok(Math.abs(await databaseAheadMs()) < 60_000);
});

test('timers run in the order of their times, each at its time', async () => {
  const startMs = monotonicMs();
  const rang: [string, number][] = [];
  const note = (name: string) => () => void rang.push([name, Math.floor((monotonicMs() - startMs) / 10_000)]);
  after(30_000, note('late'));
  after(10_000, note('early'));
  const canceled = after(20_000, note('canceled'));
  canceled.cancel();
  const repeated = every(20_000, note('repeated'));
  await skip(45_000);
  repeated.cancel();
  assert.deepEqual(rang, [
    ['early', 1],
    ['repeated', 2],
    ['late', 3],
    ['repeated', 4],
  ]);
});

test('timers run in the order of their times, also if the machine stands still between two of them', async () => {
  const rang: string[] = [];
  after(1_000, () => rang.push('first'));
  after(1_001, () => rang.push('second'));
  after(1_001, () => rang.push('third'));
  // A callback of an immediate runs after timers that became due before it.
  await turn();
  const skipped = skip(1_000);
  for (const end = performance.now() + 20; performance.now() < end; );
  await skipped;
  await until('all rang', () => rang.length === 3);
  assert.deepEqual(rang, ['first', 'second', 'third']);
});

test('no time passes for timers while the process stands still', async () => {
  const rang: string[] = [];
  after(400, () => rang.push('late'));
  after(10, () => rang.push('early'));
  const startMs = monotonicMs();
  for (const end = performance.now() + 1_000; performance.now() < end; );
  assert.ok(monotonicMs() - startMs < 300);
  await until('the first rang', () => rang.length > 0);
  assert.deepEqual(rang, ['early']);
  await until('all rang', () => rang.length === 2);
});

test('what a test waits for is not skipped over', async () => {
  const startMs = monotonicMs();
  let isDone = false;
  const late = after(600_000, () => assert.fail('the time went on after what was waited for'));
  after(5_000, () => {
    isDone = true;
  });
  await until('it is done', () => isDone, 1_200_000);
  late.cancel();
  assert.ok(monotonicMs() - startMs < 600_000);
});

test('a statement that takes its time is waited for, and not skipped over', async () => {
  const startMs = monotonicMs();
  const slow = sql(db, 'select pg_sleep(0.3)', []);
  await Promise.all([slow, sleep(1)]);
  assert.ok(monotonicMs() - startMs < 5_000);
});

test('a wait that a test left behind is forgotten, and the process looks no more whether it is quiet', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  const before = timers();
  // While a program runs, no time is skipped, so the wait does not end soon.
  const forgetPartner = countPartner();
  void skipWhile(new Promise(() => undefined), 3_600_000);
  for (let turns = 0; timers() === before; turns++) assert.ok(turns < 1_000_000 && (await turn(true)));
  forgetWaits();
  for (let turns = 0; timers() > before; turns++) assert.ok(turns < 1_000_000 && (await turn(true)));
  forgetPartner();
});
