/** A connection that leads to a standby, as after a fail-over if the proxy notices it late. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type DatabaseProxy, startDatabaseProxy } from '../../test/support/database-proxy.ts';
import { startHarness } from '../../test/support/harness.ts';
import { openJobsDatabase, silentLog, sql, until } from '../../test/support/jobs.ts';
import { type Standby, startStandby } from '../../test/support/standby.ts';
import { skippedBy } from '../../test/support/stepping-time.ts';
import { createBus } from './bus.ts';
import { type Database, openDatabase } from './database.ts';
import { statement } from './statement.ts';

let standby: Standby;
let primary: Awaited<ReturnType<typeof openJobsDatabase>>;
let proxy: DatabaseProxy;
const opened: Database[] = [];
const proxies: DatabaseProxy[] = [];

const WRITE = statement('fail_over_write', `select pg_notify('nobody', 'hears this')`);
const WHERE = statement('fail_over_where', 'select pg_is_in_recovery() as standby, pg_sleep(0.05)');

before(async () => {
  [standby, primary] = await Promise.all([startStandby(), openJobsDatabase()]);
});

after(async () => {
  await Promise.all(opened.map((db) => db.close()));
  await Promise.all(proxies.map((each) => each.cut()));
  await primary.close();
  await standby.stop();
});

/** Opens three connections through a proxy that leads to the standby. */
async function openThroughStandby(): Promise<Database> {
  proxy = await startDatabaseProxy(standby.url);
  proxies.push(proxy);
  const db = openDatabase({ url: proxy.url, connectionsMax: 3, log: silentLog });
  opened.push(db);
  assert.deepEqual(await standbys(db), [true, true, true]);
  return db;
}

async function standbys(db: Database): Promise<boolean[]> {
  const rows = await Promise.all([1, 2, 3].map(() => db.query<{ standby: boolean }>(WHERE, [])));
  return rows.map(([row]) => row?.standby === true);
}

/** Leads new connections to the primary. There every user may enter, and the database of that name exists. */
function promote(): void {
  proxy.leadTo(primary.url);
}

test('a write over a connection that leads to a standby succeeds over a new one; every old connection is replaced', async () => {
  const db = await openThroughStandby();
  await assert.rejects(db.query(WRITE, []), { code: 'database_unavailable' });
  promote();
  await db.query(WRITE, []);
  assert.deepEqual(await standbys(db), [false, false, false]);
});

test('a transaction over a connection that leads to a standby is repeated over a new one', async () => {
  const db = await openThroughStandby();
  promote();
  let runs = 0;
  await db.transaction((tx) => {
    runs++;
    return tx.query(WRITE, []);
  });
  assert.equal(runs, 2);
});

test('a process on a standby is not ready, and is ready over new connections', async () => {
  const db = await openThroughStandby();
  const harness = await startHarness({ startWorkers: false, serveMedia: false });
  const { db: own } = harness.context;
  const ready = () => harness.call('GET', '/readyz', { key: null });
  Object.assign(harness.context, { db });
  const { status, body } = await ready();
  assert.deepEqual([status, body.problem], [503, 'the database is a standby, which takes no writes']);
  promote();
  const [place] = await standbys(db);
  assert.equal(place, false, 'the probe renewed the connections');
  Object.assign(harness.context, { db: own });
  await harness.close();
});

test('a bus on a standby leaves no connection behind, connects to the primary and stops at once', async () => {
  const db = await openThroughStandby();
  const bus = createBus(db, silentLog);
  let gaps = 0;
  bus.onGap(() => void gaps++);
  await bus.start();
  const ofBus = `select pid from pg_stat_activity where application_name = 'dialplane bus'`;
  await until('the refused connection is closed', async () => (await sql(db, ofBus)).length === 0);
  promote();
  await until('the bus listens', () => gaps === 1);
  assert.ok((await skippedBy(bus.close())) < 5_000);
});
