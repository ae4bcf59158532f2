/** Slots are filled without a look at all groups, and nothing that is due is passed over by that. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { gate, openJobsDatabase, silentLog, sql, until } from '../../../test/support/jobs.ts';
import type { Database, Db } from '../../db/database.ts';
import type { Statement } from '../../db/statement.ts';
import type { LaneHandler } from '../jobs/job.ts';
import { createTokens } from '../worker/lease.ts';
import { WORKER_SETTINGS } from '../worker/settings.ts';
import { wake } from '../worker/wake.ts';
import { createWorkers, type Workers } from '../worker/workers.ts';
import { claimLanes } from './lane-claims.ts';
import { createLaneLoop } from './lane-loop.ts';
import { settleLaneItems } from './lanes.ts';
import { createOpenGroups } from './open-groups.ts';

let db: Database;
let ledgerId: number;
let open: Awaited<ReturnType<typeof openJobsDatabase>>;
let workers: Workers | undefined;

before(async () => {
  open = await openJobsDatabase();
  ({ db, ledgerId } = open);
});

afterEach(async () => {
  await workers?.stop({ deadlineMs: 50 });
  await sql(db, 'delete from lanes');
});

after(() => open.close());

/** Workers that look again of themselves only after a minute. */
function work(handler: Partial<LaneHandler>): void {
  const bounds = { concurrencyMax: 8, groupConcurrency: () => 4 };
  const laneHandlers = [{ kind: 'k', ...bounds, drain: async () => undefined, ...handler }];
  workers = createWorkers({ db, log: silentLog, handlers: [], laneHandlers, queues: {}, settings: { pollMs: 60_000 } });
  workers.start();
}

/** Lanes of one item, due one after the other from `dueMs` (epoch) on; unlike `addToLanes`, wakes nobody. */
async function addDue(prefix: string, count: number, { dueMs, groupId = 'g' }: { dueMs: number; groupId?: string }) {
  await sql(
    db,
    `insert into lanes (ledger_id, kind, group_id, lane_key, pending, run_at)
     select $1, 'k', $2, $3 || n, 1, to_timestamp($4::float8 / 1000) + make_interval(secs => n / 1000.0)
     from generate_series(1, $5::int) n`,
    [ledgerId, groupId, prefix, dueMs, count],
  );
}

function countStatements(name: string): { readonly count: number; stop(): void } {
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

describe('open groups', () => {
  const share = { groupId: 'g', failed: false, slots: 2 };

  test('a group that gave all it was asked for goes on behind that; one that gave less is done with', () => {
    const groups = createOpenGroups({ apart: true });
    groups.setAll([
      { groupId: 'g', failed: false },
      { groupId: 'g', failed: true },
    ]);
    const failedShare = { ...share, failed: true };
    groups.claimed([share, failedShare], [{ groupId: 'g', failed: false, count: 2, untilMs: 5 }]);
    assert.deepEqual(groups.all(), [{ groupId: 'g', failed: false, sinceMs: 5 }]);
    groups.claimed([share], [{ groupId: 'g', failed: false, count: 1, untilMs: 6 }]);
    assert.equal(groups.isEmpty(), true);
  });

  test('a look forgets how far claims had come', () => {
    const groups = createOpenGroups({ apart: true });
    groups.setAll([share]);
    groups.claimed([share], [{ groupId: 'g', failed: false, count: 2, untilMs: 5 }]);
    groups.setAll([share]);
    assert.deepEqual(groups.all(), [{ groupId: 'g', failed: false }]);
  });

  test('where failed lanes have no bounds of their own, they and the others are one group', () => {
    const groups = createOpenGroups({ apart: false });
    groups.setAll([share, { ...share, failed: true }]);
    assert.deepEqual(groups.all(), [{ groupId: 'g', failed: false }]);
  });

  test('of a group that is not known to be open a claim leaves nothing behind', () => {
    const groups = createOpenGroups({ apart: true });
    groups.claimed([share], [{ groupId: 'g', failed: false, count: 2, untilMs: 5 }]);
    assert.equal(groups.isEmpty(), true);
  });
});

test('a group is within its bound also where failed lanes have none of their own and a ledger is claimed at once', async () => {
  await addDue('well', 2, { dueMs: Date.now() - 60_000 });
  await addDue('failed', 2, { dueMs: Date.now() - 30_000 });
  await sql(db, `update lanes set failures = 1 where lane_key like 'failed%'`);
  const drain = () => new Promise<void>(() => undefined);
  const handler = { kind: 'k', concurrencyMax: 8, groupConcurrency: () => 1, drain };
  const loop = createLaneLoop({ db, log: silentLog, handler, tokens: createTokens(), settings: WORKER_SETTINGS });
  assert.equal(await loop.claimLedger(ledgerId), 1);
  assert.equal(await loop.claimLedger(ledgerId), 0);
});

test('a claim begins where it is told to, and says how far it came', async () => {
  const dueMs = Date.now() - 60_000;
  await addDue('a', 5, { dueMs });
  const claim = { leaseMs: 5_000, leaseToken: 'mine' };
  const share = { groupId: 'g', failed: false, slots: 2 };
  const first = await claimLanes(db, 'k', { ...claim, shares: [share] });
  assert.deepEqual(first.lanes.map(({ laneKey }) => laneKey).sort(), ['a1', 'a2']);
  assert.deepEqual(first.found, [{ groupId: 'g', failed: false, count: 2, untilMs: dueMs + 2 }]);
  const behind = await claimLanes(db, 'k', { ...claim, shares: [{ ...share, sinceMs: dueMs + 4 }] });
  assert.deepEqual(behind.lanes.map(({ laneKey }) => laneKey).sort(), ['a4', 'a5']);
  const rest = await claimLanes(db, 'k', { ...claim, shares: [share] });
  assert.deepEqual([rest.lanes.map(({ laneKey }) => laneKey), rest.found[0]?.count], [['a3'], 1]);
});

test('a backlog is worked off with hardly a look at all groups', async () => {
  await addDue('a', 200, { dueMs: Date.now() - 60_000 });
  const looks = countStatements('lanes_due_groups');
  const done: string[] = [];
  work({
    drain: async (lane) => {
      await db.transaction((tx) => settleLaneItems(tx, lane, 1));
      done.push(lane.laneKey);
    },
  });
  await until('all is done', () => done.length === 200);
  looks.stop();
  assert.equal(new Set(done).size, 200);
  assert.ok(looks.count <= 3, `${looks.count} looks`);
});

test('what is committed late, due before all that was claimed, is next once its wake-up comes', async () => {
  const dueMs = Date.now() - 60_000;
  await addDue('a', 40, { dueMs });
  const order: string[] = [];
  const halfDone = gate();
  const lateIsThere = gate();
  work({
    groupConcurrency: () => 1,
    drain: async (lane) => {
      order.push(lane.laneKey);
      if (order.length === 20) {
        halfDone.open();
        await lateIsThere.opened;
      }
      await db.transaction((tx) => settleLaneItems(tx, lane, 1));
    },
  });
  await halfDone.opened;
  await addDue('late', 1, { dueMs: dueMs - 10_000 });
  await addDue('other', 1, { dueMs: Date.now() - 1_000, groupId: 'another' });
  wake(db, 'lanes', 'k');
  lateIsThere.open();
  await until('all is done', async () => (await sql(db, 'select 1 from lanes')).length === 0);
  const after20 = order.slice(20, 23);
  assert.ok(after20.includes('late1') && after20.includes('other1'), `then came ${after20.join(', ')}`);
});

/** How many pages the database touches for a claim of one lane that was due then. */
async function pagesOfClaim(prefix: string, { dueMs, sinceMs }: { dueMs: number; sinceMs?: number }): Promise<number> {
  await addDue(prefix, 1, { dueMs });
  let plan: { 'QUERY PLAN': string }[] = [];
  const explaining: Db = {
    signal: db.signal,
    query: async <Row>(statement: Statement, values: readonly unknown[]) => {
      plan = await sql(db, `explain (analyze, buffers, timing off) ${statement.text}`, values);
      return [] as Row[];
    },
  };
  const shares = [{ groupId: 'g', failed: false, slots: 1, sinceMs }];
  await claimLanes(explaining, 'k', { shares, apart: true, leaseMs: 5_000, leaseToken: 'mine' });
  return Number(/shared hit=(\d+)/.exec(plan.map((row) => row['QUERY PLAN']).join())?.[1]);
}

test('a claim in an open group reads nothing of what was done before, though a backup keeps it from being cleared', async () => {
  const backup = await db.connect('backup');
  await backup.query('begin isolation level repeatable read');
  await backup.query('select count(*) from lanes');
  const dueMs = Date.now() - 60_000;
  await addDue('done', 20_000, { dueMs });
  await sql(db, `update lanes set run_at = run_at + interval '1 hour'`);
  await sql(db, 'delete from lanes');
  const bounded = await pagesOfClaim('b', { dueMs: dueMs + 10_000, sinceMs: dueMs + 10_000 });
  const unbounded = await pagesOfClaim('a', { dueMs: dueMs + 10_000 });
  await backup.query('rollback');
  await backup.end();
  assert.ok(bounded * 10 < unbounded, `${bounded} pages, and ${unbounded} without a bound`);
});
