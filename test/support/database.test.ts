import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { cloneDatabase } from './database.ts';

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

test('a clone has every migration', async () => {
  const database = await cloneDatabase();
  const rows = await query(database.url, 'select count(*)::integer as applied from schema_migrations');
  await database.drop();
  assert.ok(Number(rows[0]?.['applied']) > 0);
});

test('clones made at the same time do not see each other', async () => {
  const databases = await Promise.all(Array.from({ length: 4 }, cloneDatabase));
  await Promise.all(databases.map(({ url }) => query(url, 'create table mine (id integer)')));
  await Promise.all(databases.map((database) => database.drop()));
  assert.equal(new Set(databases.map(({ url }) => url)).size, 4);
});

test('a clone goes away even while something is connected to it', async () => {
  const database = await cloneDatabase();
  const client = new pg.Client({ connectionString: database.url });
  const lost = new Promise((resolve) => client.on('error', resolve));
  await client.connect();
  await database.drop();
  await lost;
  await assert.rejects(query(database.url, 'select 1'), { code: '3D000' });
});
