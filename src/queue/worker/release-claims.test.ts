/** Claims of a worker whose database goes away and comes back long before their leases end. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { type DatabaseProxy, startDatabaseProxy } from '../../../test/support/database-proxy.ts';
import { gate, openJobsDatabase, silentLog, sql, until } from '../../../test/support/jobs.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { LaneHandler } from '../lanes/lane.ts';
import { addToLanes } from '../lanes/lanes.ts';
import { createWorkers, type Workers } from './workers.ts';

/** Shorter than a lease, which is 30 s. */
const SOON_MS = 8_000;

let open: Awaited<ReturnType<typeof openJobsDatabase>>;
let proxy: DatabaseProxy;
let db: Database;
let workers: Workers | undefined;

before(async () => {
  open = await openJobsDatabase();
  proxy = await startDatabaseProxy(open.url);
  db = openDatabase({ url: proxy.url, connectionsMax: 4, log: silentLog });
});

afterEach(async () => {
  await workers?.stop({ deadlineMs: 100 });
  await sql(open.db, 'delete from jobs');
  await sql(open.db, 'delete from lanes');
});

after(async () => {
  await db.close();
  await proxy.cut();
  await open.close();
});

function work(job: () => Promise<void>, laneHandlers: LaneHandler[] = []): void {
  const handler = { kind: 'a', queue: 'default' as const, run: job };
  workers = createWorkers({ db, log: silentLog, handlers: [handler], laneHandlers, queues: { default: 2 } });
  workers.start();
}

const someJob = () => enqueue(open.db, [{ ledgerId: open.ledgerId, queue: 'default', kind: 'a', payload: 1 }]);

const leased = async (table: 'jobs' | 'lanes') =>
  (await sql(open.db, `select from ${table} where lease_token is not null`)).length;

test('a job that failed without a database is due again when the database is back', async () => {
  const [running, release] = [gate(), gate()];
  let runs = 0;
  work(async () => {
    if (++runs > 1) return;
    running.open();
    await release.opened;
    await sql(db, 'select 1');
  });
  await someJob();
  await running.opened;
  await proxy.cut();
  release.open();
  await assert.rejects(sql(db, 'select 1'), { code: 'database_unavailable' });
  await proxy.reopen();
  await until('the job runs again', () => runs === 2, SOON_MS);
});

test('a lane that failed without a database is due again when the database is back', async () => {
  const [running, release] = [gate(), gate()];
  let runs = 0;
  const drain = async () => {
    if (++runs > 1) return;
    running.open();
    await release.opened;
    await sql(db, 'select 1');
  };
  work(async () => undefined, [{ kind: 'k', concurrencyMax: 2, groupConcurrency: () => 1, drain }]);
  const lane = { ledgerId: open.ledgerId, kind: 'k', groupId: 'g', laneKey: 'l', items: 1 };
  await open.db.transaction((tx) => addToLanes(tx, [lane]));
  await running.opened;
  await proxy.cut();
  release.open();
  await assert.rejects(sql(db, 'select 1'), { code: 'database_unavailable' });
  await proxy.reopen();
  await until('the lane is drained again', () => runs >= 2, SOON_MS);
});

test('what was claimed by a statement whose answer was lost is due again when the database is back', async () => {
  let runs = 0;
  const drained: string[] = [];
  const drain = async ({ laneKey }: { laneKey: string }) => void drained.push(laneKey);
  work(async () => void runs++, [{ kind: 'k', concurrencyMax: 2, groupConcurrency: () => 1, drain }]);
  await until('the workers have connected', async () => (await sql(db, 'select 1')).length === 1);
  proxy.mute();
  await someJob();
  const lane = { ledgerId: open.ledgerId, kind: 'k', groupId: 'g', laneKey: 'l', items: 1 };
  await open.db.transaction((tx) => addToLanes(tx, [lane]));
  await until('the job is claimed', async () => (await leased('jobs')) === 1);
  assert.equal(runs, 0);
  await proxy.cut();
  await proxy.reopen();
  await until('the job runs', () => runs === 1, SOON_MS);
  await until('the lane is drained', () => drained.length > 0, SOON_MS);
});
