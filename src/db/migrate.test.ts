import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { cloneDatabase, type TestDatabase } from '../../test/support/database.ts';
import { startDatabaseProxy } from '../../test/support/database-proxy.ts';
import { silentLog, sql, until } from '../../test/support/jobs.ts';
import { type Database, openDatabase } from './database.ts';
import { findPending, IncompatibleDatabaseError, migrate, readMigrations } from './migrate.ts';
import { pendingMigrations } from './readiness.ts';

let database: TestDatabase;
let db: Database;

before(async () => {
  database = await cloneDatabase();
  db = openDatabase({ url: database.url, connectionsMax: 2, log: silentLog });
});

after(async () => {
  await db.close();
  await database.drop();
});

const tables = () => sql(db, `select relname from pg_class where relnamespace = 'public'::regnamespace order by 1`);

test('several processes that migrate an empty database at once apply each migration once, in order', async () => {
  await sql(db, 'drop schema public cascade');
  await sql(db, 'create schema public');
  const names = (await readMigrations()).map(({ name }) => name);
  assert.deepEqual(await pendingMigrations(db), names);
  const applied = await Promise.all([migrate(database.url), migrate(database.url), migrate(database.url)]);
  assert.deepEqual(applied.flat(), names);
  assert.deepEqual(await pendingMigrations(db), []);
  assert.deepEqual(await migrate(database.url), []);
});

test('the wait for another process that migrates, or for a server that does not answer, has a limit', async () => {
  const holder = await db.connect('holder');
  try {
    await holder.query('select pg_advisory_lock(7244001)');
    await assert.rejects(migrate(database.url, { lockWithinMs: 200 }), /lock timeout/);
    const proxy = await startDatabaseProxy(database.url);
    const waiting = migrate(proxy.url);
    const waits = `select from pg_locks where locktype = 'advisory' and not granted`;
    await until('it waits', async () => (await sql(db, waits)).length > 0);
    await proxy.cut();
    await assert.rejects(waiting, /Connection terminated/);
  } finally {
    await holder.end();
  }
});

test('a migration that fails leaves those before it applied and those after it not, and the next run goes on with it', async () => {
  await sql(db, 'drop schema public cascade');
  await sql(db, 'create schema public');
  const names = (await readMigrations()).map(({ name }) => name);
  const failing = names.indexOf('0005_events');
  await sql(db, 'create table events ()');
  await assert.rejects(migrate(database.url), /relation "events" already exists/);
  assert.deepEqual(await pendingMigrations(db), names.slice(failing));
  await sql(db, 'drop table events');
  assert.deepEqual(await migrate(database.url), names.slice(failing));
  assert.deepEqual(await pendingMigrations(db), []);
});

test('a database that a newer version has migrated is accepted and left as it is', async () => {
  await sql(db, `insert into schema_migrations (number, name) values (9000, '9000_later')`);
  assert.deepEqual(await migrate(database.url), []);
  assert.deepEqual(await pendingMigrations(db), []);
  await sql(db, 'delete from schema_migrations where number = 9000');
});

test('a database that was migrated by other migrations is refused, and nothing in it is changed', async () => {
  const [, second] = await readMigrations();
  await sql(db, `delete from schema_migrations where number <> 2`);
  await sql(db, `update schema_migrations set name = '0002_other'`);
  const tablesBefore = await tables();
  const refused = (error: unknown) =>
    error instanceof IncompatibleDatabaseError &&
    error.message.includes(`its migration 2 is 0002_other, and this version's is ${second?.name}`);
  await assert.rejects(migrate(database.url), refused);
  await assert.rejects(pendingMigrations(db), refused);
  assert.deepEqual(await sql(db, 'select number, name from schema_migrations'), [{ number: 2, name: '0002_other' }]);
  assert.deepEqual(await tables(), tablesBefore);
});

test('pending migrations are those that are not applied, in order', () => {
  const migrations = ['0001_a', '0002_b', '0003_c'].map((name, index) => ({ number: index + 1, name, text: '' }));
  const pending = (...numbers: number[]) =>
    findPending(
      migrations,
      migrations.filter(({ number }) => numbers.includes(number)),
    ).map(({ name }) => name);
  assert.deepEqual(pending(), ['0001_a', '0002_b', '0003_c']);
  assert.deepEqual(pending(2), ['0001_a', '0003_c']);
  assert.deepEqual(pending(1, 2, 3), []);
});
