import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gate, silentLog, sql, until } from '../../../test/support/jobs.ts';
import { useLanes } from '../../../test/support/lanes.ts';
import type { Db } from '../../db/database.ts';
import { bind, type Statement } from '../../db/statement.ts';
import { now } from '../../lib/time/time.ts';
import { createTokens } from '../worker/lease.ts';
import { createClaimReleaser } from '../worker/release-claims.ts';
import { WORKER_SETTINGS } from '../worker/settings.ts';
import { wake } from '../worker/wake.ts';
import type { LaneHandler } from './lane.ts';
import { claimLanes, findDueLedgerGroups } from './lane-claims.ts';
import { createLaneLoop } from './lane-loop.ts';
import { settleLaneItems } from './lanes.ts';

const lanes = useLanes();

/** Starts workers that poll only after a minute. */
const work = (handler: Partial<LaneHandler>) => lanes.work(handler, { settings: { pollMs: 60_000 } });

/** Adds lanes of one item, due one after the other from `dueMs` (epoch) on; unlike `addToLanes`, wakes no worker. */
async function addDue(prefix: string, count: number, { dueMs, groupId = 'g' }: { dueMs: number; groupId?: string }) {
  await sql(
    lanes.db,
    `insert into lanes (ledger_id, kind, group_id, lane_key, pending, run_at)
     select $1, 'k', $2, $3 || n, 1, to_timestamp($4::float8 / 1000) + make_interval(secs => n / 1000.0)
     from generate_series(1, $5::int) n`,
    [lanes.ledgerId, groupId, prefix, dueMs, count],
  );
}

function countStatements(name: string): { readonly count: number; stop(): void } {
  const { db } = lanes;
  const { query } = db;
  const counted = {
    count: 0,
    stop: () => {
      db.query = query;
    },
  };
  db.query = (statement, values) => {
    if (statement.name === name) counted.count++;
    return query(statement, values);
  };
  return counted;
}

test('claiming a ledger keeps within the bound of a group whose failed lanes have no separate bounds', async () => {
  await addDue('healthy', 2, { dueMs: now() - 60_000 });
  await addDue('failed', 2, { dueMs: now() - 30_000 });
  await sql(lanes.db, `update lanes set failures = 1 where lane_key like 'failed%'`);
  const drain = () => new Promise<void>(() => undefined);
  const handler = { kind: 'k', concurrencyMax: 8, groupConcurrency: () => 1, drain };
  const loop = createLaneLoop({
    db: lanes.db,
    log: silentLog,
    handler,
    tokens: createTokens(),
    settings: WORKER_SETTINGS,
    releaser: createClaimReleaser(silentLog),
  });
  const claimDue = async () => loop.claimGroups((await findDueLedgerGroups(lanes.db, lanes.ledgerId)).get('k') ?? []);
  assert.equal(await claimDue(), 1);
  assert.equal(await claimDue(), 0);
});

test('a claim begins at the given due time and reports the last one it found', async () => {
  const dueMs = now() - 60_000;
  await addDue('a', 5, { dueMs });
  const claim = { leaseMs: 5_000, leaseToken: 'mine' };
  const share = { groupId: 'g', failed: false, slots: 2 };
  const first = await claimLanes(lanes.db, 'k', { ...claim, shares: [share] });
  assert.deepEqual(first.lanes.map(({ laneKey }) => laneKey).sort(), ['a1', 'a2']);
  assert.deepEqual(first.found, [{ groupId: 'g', failed: false, count: 2, untilMs: dueMs + 2 }]);
  const behind = await claimLanes(lanes.db, 'k', { ...claim, shares: [{ ...share, sinceMs: dueMs + 4 }] });
  assert.deepEqual(behind.lanes.map(({ laneKey }) => laneKey).sort(), ['a4', 'a5']);
  const rest = await claimLanes(lanes.db, 'k', { ...claim, shares: [share] });
  assert.deepEqual([rest.lanes.map(({ laneKey }) => laneKey), rest.found[0]?.count], [['a3'], 1]);
});

test('while a backlog lasts, workers look at all groups once for many lanes', async () => {
  await addDue('a', 200, { dueMs: now() - 60_000 });
  const looks = countStatements('lanes_due_groups');
  const done: string[] = [];
  work({
    drain: async (lane) => {
      // Stops the count at the last lane. When no lane is left to claim, another look may follow each drain.
      if (done.length === 100) looks.stop();
      await lanes.db.transaction((tx) => settleLaneItems(tx, lane, 1));
      done.push(lane.laneKey);
    },
  });
  await until('all is done', () => done.length === 200);
  assert.equal(new Set(done).size, 200);
  // The exact number depends on the machine: after a claim that finds less than requested, another look follows.
  assert.ok(looks.count <= 20, `${looks.count} looks for 100 lanes`);
});

test('a lane that is committed late and was due before all claimed ones is next after its wake-up', async () => {
  const dueMs = now() - 60_000;
  await addDue('a', 40, { dueMs });
  const order: string[] = [];
  const halfDone = gate();
  const lateIsAdded = gate();
  work({
    groupConcurrency: () => 1,
    drain: async (lane) => {
      order.push(lane.laneKey);
      if (order.length === 20) {
        halfDone.open();
        await lateIsAdded.opened;
      }
      await lanes.db.transaction((tx) => settleLaneItems(tx, lane, 1));
    },
  });
  await halfDone.opened;
  await addDue('late', 1, { dueMs: dueMs - 10_000 });
  await addDue('other', 1, { dueMs: now() - 1_000, groupId: 'another' });
  wake(lanes.db, 'lanes', 'k');
  lateIsAdded.open();
  await until('all is done', async () => (await sql(lanes.db, 'select 1 from lanes')).length === 0);
  const after20 = order.slice(20, 23);
  assert.ok(after20.includes('late1') && after20.includes('other1'), `next were ${after20.join(', ')}`);
});

/** Returns how many pages the database reads to claim one lane that was due at `dueMs`. */
async function pagesOfClaim(prefix: string, { dueMs, sinceMs }: { dueMs: number; sinceMs?: number }): Promise<number> {
  await addDue(prefix, 1, { dueMs });
  let plan: { 'QUERY PLAN': string }[] = [];
  const explaining: Db = {
    ...lanes.db,
    query: async <Row, Given>(statement: Statement<Given, Row>, given: Given) => {
      const { text, values } = bind(statement, given);
      plan = await sql(lanes.db, `explain (analyze, buffers, timing off) ${text}`, values);
      return [] as Row[];
    },
  };
  const shares = [{ groupId: 'g', failed: false, slots: 1, sinceMs }];
  await claimLanes(explaining, 'k', { shares, apart: true, leaseMs: 5_000, leaseToken: 'mine' });
  return Number(/shared hit=(\d+)/.exec(plan.map((row) => row['QUERY PLAN']).join())?.[1]);
}

test('a claim in an open group reads no finished lanes, even while a backup keeps them from being vacuumed', async () => {
  const backup = await lanes.db.connect('backup');
  await backup.query('begin isolation level repeatable read');
  await backup.query('select count(*) from lanes');
  const dueMs = now() - 60_000;
  await addDue('done', 20_000, { dueMs });
  await sql(lanes.db, `update lanes set run_at = run_at + interval '1 hour'`);
  await sql(lanes.db, 'delete from lanes');
  const bounded = await pagesOfClaim('b', { dueMs: dueMs + 10_000, sinceMs: dueMs + 10_000 });
  const unbounded = await pagesOfClaim('a', { dueMs: dueMs + 10_000 });
  await backup.query('rollback');
  await backup.end();
  assert.ok(bounded * 10 < unbounded, `${bounded} pages, ${unbounded} without a bound`);
});
