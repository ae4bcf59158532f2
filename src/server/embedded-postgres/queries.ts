import pg from 'pg';
import { NAME } from './cluster.ts';

/** Every cluster has this database. */
const MAINTENANCE = 'template1';
const NO_SUCH_DATABASE = '3D000';
const DUPLICATE_DATABASE = '42P04';

/**
 * Gives a new cluster its database by renaming the empty one that initdb has made. A new database would be a copy,
 * which takes 0.1 s and 7 MB of WAL.
 */
export async function nameDatabase(connectionString: string): Promise<void> {
  await withClient(namingDatabase(connectionString, MAINTENANCE), async (client) => {
    await client.query(`alter database postgres rename to ${NAME}`);
    await client.query(`comment on database ${NAME} is null`);
  });
}

/** Connects once. Creates the database if an interrupted first start has not created it. */
export async function ensureDatabase(connectionString: string): Promise<void> {
  try {
    await withClient(connectionString, (client) => client.query('select 1'));
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== NO_SUCH_DATABASE) throw error;
    await withClient(namingDatabase(connectionString, MAINTENANCE), createDatabase);
  }
}

function namingDatabase(connectionString: string, database: string): string {
  return connectionString.replace(new RegExp(`/${NAME}(?=[?]|$)`), `/${database}`);
}

async function createDatabase(client: pg.Client): Promise<void> {
  try {
    // Here the WAL gets whole pages, and compression takes longer than writing them.
    await client.query('set wal_compression = off');
    await client.query(`create database ${NAME}`);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== DUPLICATE_DATABASE) throw error;
  }
}

async function withClient(connectionString: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    await work(client);
  } finally {
    await client.end();
  }
}
