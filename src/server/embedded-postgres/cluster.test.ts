import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { useClusters } from '../../../test/support/clusters.ts';
import { findBinaries } from './binaries.ts';
import { syncCluster } from './cluster.ts';
import type { EmbeddedPostgres } from './start.ts';

const { newFolder, start } = useClusters();

async function databasesOf({ connectionString }: EmbeddedPostgres): Promise<string[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query('select datname from pg_database where not datistemplate order by datname');
    return rows.map(({ datname }) => datname);
  } finally {
    await client.end();
  }
}

test('a new cluster has one database, which is ours; one that lost it gets an empty one, and keeps the others', async () => {
  const folder = newFolder();
  const first = await start(folder);
  assert.deepEqual(await databasesOf(first), ['dialplane']);
  const client = new pg.Client({ connectionString: first.connectionString.replace('/dialplane?', '/template1?') });
  await client.connect();
  await client.query('alter database dialplane rename to kept');
  await client.end();
  await first.stop();
  const second = await start(folder);
  assert.deepEqual(await databasesOf(second), ['dialplane', 'kept']);
  await second.stop();

  // Makes the files of a new cluster look as after a power failure before the sync.
  writeFileSync(join(second.folder, 'data', 'global', 'pg_control'), '');
  writeFileSync(join(second.folder, 'data.unsynced'), '');
  const third = await start(folder);
  assert.deepEqual(await databasesOf(third), ['dialplane'], 'it is made again');
  assert.deepEqual(
    readdirSync(third.folder).filter((name) => name.startsWith('data')),
    ['data'],
  );
  await third.stop();
});

test('a database is given out when its files are on the disk, or says when they are', async () => {
  const isUnsynced = (folder: string) => readdirSync(folder).includes('data.unsynced');
  const now = await start(newFolder());
  assert.equal(isUnsynced(now.folder), false);
  const later = await start(newFolder(), { syncsLater: true });
  await later.synced;
  assert.equal(isUnsynced(later.folder), false);
  await Promise.all([now.stop(), later.stop()]);
});

test('a cluster whose files cannot be synced stays marked', async () => {
  const folder = newFolder();
  mkdirSync(folder);
  writeFileSync(join(folder, 'data.unsynced'), '');
  const placement = { folder, binaries: findBinaries(), owner: null, becomes: null };
  await assert.rejects(syncCluster(placement), /initdb ended with code 1/);
  assert.deepEqual(readdirSync(folder), ['data.unsynced']);
});
