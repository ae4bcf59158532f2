import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** A database of one test file, migrated and empty. `drop` ends its connections and removes it. */
export type TestDatabase = { url: string; drop(): Promise<void> };

/**
 * Makes a copy of the migrated template. Any number of processes may do so at once: copying only needs that nobody is
 * connected to the template, which refuses connections.
 * @throws Error outside of the test command, which starts the server
 */
export async function cloneDatabase(): Promise<TestDatabase> {
  const adminUrl = process.env['DIALPLANE_TEST_ADMIN_URL'];
  const template = process.env['DIALPLANE_TEST_TEMPLATE'];
  if (adminUrl === undefined || template === undefined) {
    throw new Error('This test needs a database: run it with "npm test -- PATH".');
  }
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await asAdmin(adminUrl, `create database ${name} template ${template}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => asAdmin(adminUrl, `drop database if exists ${name} with (force)`) };
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
