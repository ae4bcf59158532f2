import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { followSkips, unfollowSkips } from './database-time.ts';

/** A migrated, empty database for one test file. `drop` closes its connections and deletes it. */
export type TestDatabase = { url: string; drop(): Promise<void> };

/**
 * Copies the migrated template. Several processes may copy at the same time. A copy needs a template without
 * connections, so the template refuses connections.
 * @param server a server other than the one of the test run
 * @throws Error outside of the test command, which starts the server
 */
export function cloneDatabase(server: TestServer = serverOfRun()): Promise<TestDatabase> {
  return makeCopy(server);
}

/** Copies a database without connections, like a backup and its restore. */
export function copyDatabase({ url }: Pick<TestDatabase, 'url'>): Promise<TestDatabase> {
  return makeCopy({ ...serverOfRun(), template: new URL(url).pathname.slice(1) });
}

type TestServer = { readonly adminUrl: string | undefined; readonly template: string | undefined };

function serverOfRun(): TestServer {
  return { adminUrl: process.env['DIALPLANE_TEST_ADMIN_URL'], template: process.env['DIALPLANE_TEST_TEMPLATE'] };
}

async function makeCopy({ adminUrl, template }: TestServer): Promise<TestDatabase> {
  if (adminUrl === undefined || template === undefined) {
    throw new Error('This test needs a database: run it with "npm test -- PATH".');
  }
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  // The default strategy writes each page to the WAL, which takes three times the processor time of copying files.
  await asAdmin(adminUrl, `create database ${name} template ${template} strategy file_copy`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  followSkips(url.href);
  const drop = async () => {
    await unfollowSkips(url.href);
    await asAdmin(adminUrl, `drop database if exists ${name} with (force)`);
  };
  return { url: url.href, drop };
}

async function asAdmin(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
