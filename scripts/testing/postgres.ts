import { existsSync, statfsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { migrate } from '../../src/db/migrate.ts';
import type { Binaries } from '../../src/server/embedded-postgres/binaries.ts';
import { startEmbeddedPostgres } from '../../src/server/embedded-postgres/start.ts';
import { DATABASE_TIME, DATABASE_TIME_SETTING } from '../../test/support/database-time.ts';

const FOLDER_PREFIX = 'dialplane-test-';
const TEMPLATE = 'dialplane_template';

// A test database is removed after the run, so durability is not needed.
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '300',
  max_wal_size: '256MB',
  // Compressing costs more processor time than writing to memory.
  wal_compression: 'off',
  ...DATABASE_TIME_SETTING,
};

// Copying the template takes 20 ms in memory and 150 to 270 ms on a disk. Containers often have only 64 MB there.
const MEMORY_FOLDER = '/dev/shm';
const REMOVE = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 } as const;
const MEMORY_FREE_BYTES = 2 ** 31;

/**
 * The PostgreSQL server of one test run. `adminUrl` connects as its superuser; `template` is the name of the migrated
 * database; `scratch` is a folder on disk for other files of the run. `stop` removes everything.
 */
export type TestPostgres = { adminUrl: string; template: string; scratch: string; stop(): Promise<void> };

/**
 * Starts a server in a new temporary folder and prepares the database that tests clone.
 * @param binaries the programs of another version of PostgreSQL
 */
export async function startTestPostgres(binaries?: Binaries): Promise<TestPostgres> {
  await sweepAbandoned();
  const parent = await realpath(hasMemoryFolder() ? MEMORY_FOLDER : tmpdir());
  const folder = await mkdtemp(join(parent, `${FOLDER_PREFIX}${process.pid}-`));
  // The server may run as another user, who must be able to enter its folder.
  await chmod(folder, 0o755);
  const scratch = await mkdtemp(join(await realpath(tmpdir()), `${FOLDER_PREFIX}${process.pid}-`));
  await chmod(scratch, 0o755);
  const removeAll = async () => {
    // Programs that tests started may still be stopping.
    for (const path of [folder, scratch]) await rm(path, REMOVE);
  };
  const log = pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true }));
  try {
    const server = await startEmbeddedPostgres({
      folder: join(folder, 'postgres'),
      log,
      settings: SETTINGS,
      ...(binaries && { binaries }),
    });
    const stop = async () => {
      await server.stop();
      await removeAll();
    };
    try {
      await prepareTemplate(server.connectionString, folder);
    } catch (error) {
      await stop();
      throw error;
    }
    return { adminUrl: server.connectionString, template: TEMPLATE, scratch, stop };
  } catch (error) {
    await removeAll();
    throw error;
  }
}

function hasMemoryFolder(): boolean {
  if (!existsSync(MEMORY_FOLDER)) return false;
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return bavail * bsize >= MEMORY_FREE_BYTES;
}

async function prepareTemplate(adminUrl: string, folder: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    // Checked before anything is created: the address could belong to another server.
    const { rows } = await admin.query<{ data_directory: string }>('show data_directory');
    const directory = rows[0]?.data_directory ?? '';
    if (!directory.startsWith(folder))
      throw new Error(`Another PostgreSQL server answered, with data in ${directory}.`);
    await admin.query(`create database ${TEMPLATE}`);
    const url = new URL(adminUrl);
    url.pathname = `/${TEMPLATE}`;
    await makeDatabaseTime(url.href);
    await migrate(url.href);
    // A database can be cloned only while it has no connection.
    await admin.query(`alter database ${TEMPLATE} with is_template true allow_connections false`);
  } finally {
    await admin.end();
  }
}

async function makeDatabaseTime(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(DATABASE_TIME);
  } finally {
    await client.end();
  }
}

/** Removes the folders of earlier runs that were killed. The servers of these runs have stopped automatically. */
async function sweepAbandoned(): Promise<void> {
  for (const parent of [tmpdir(), MEMORY_FOLDER].filter((path) => existsSync(path))) {
    for (const name of await readdir(parent)) {
      const owner = name.startsWith(FOLDER_PREFIX) ? Number.parseInt(name.slice(FOLDER_PREFIX.length), 10) : Number.NaN;
      if (Number.isNaN(owner) || isAlive(owner)) continue;
      await rm(join(parent, name), REMOVE);
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
