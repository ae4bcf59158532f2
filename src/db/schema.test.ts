import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cloneDatabase } from '../../test/support/database.ts';
import { startDatabaseProxy } from '../../test/support/database-proxy.ts';
import { silentLog, sql, until } from '../../test/support/jobs.ts';
import { openDatabase } from './database.ts';
import { createSchema } from './schema.ts';

test('a connection that is lost while a schema is made fails the work, and does not end the process', async () => {
  const database = await cloneDatabase();
  const db = openDatabase({ url: database.url, connectionsMax: 2, log: silentLog });
  const proxy = await startDatabaseProxy(database.url);
  const holder = await db.connect('holder');
  try {
    await holder.query('begin; create schema east');
    const made = createSchema(proxy.url, 'east');
    const waits = `select from pg_stat_activity where application_name = 'dialplane migrate' and wait_event_type = 'Lock'`;
    await until('it waits', async () => (await sql(db, waits)).length > 0);
    await proxy.cut();
    await assert.rejects(made, /Connection terminated/);
  } finally {
    await holder.end();
    await db.close();
    await database.drop();
  }
});
