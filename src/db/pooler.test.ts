/** PgBouncer between Dialplane and its database, in each of its modes. */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import pg from 'pg';
import { startCli } from '../../test/support/cli-process.ts';
import { cloneDatabase, type TestDatabase } from '../../test/support/database.ts';
import { TEST_SECRET } from '../../test/support/harness.ts';
import { silentLog, sql } from '../../test/support/jobs.ts';
import { noPgbouncer, startPgbouncer } from '../../test/support/pgbouncer.ts';
import { createConnector } from './connector.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { findRoute } from './pooler.ts';

const opened: { drop?(): Promise<void>; stop?(): Promise<void> }[] = [];

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await (each.stop?.() ?? each.drop?.());
});

/** Makes an empty database, and PgBouncer in front of it. */
async function openPooler(
  mode: 'session' | 'transaction' | 'statement',
): Promise<{ direct: TestDatabase; url: string }> {
  const direct = await cloneDatabase();
  opened.push(direct);
  const client = new pg.Client({ connectionString: direct.url });
  await client.connect();
  await client.query('drop schema public cascade; create schema public');
  await client.end();
  const pooler = await startPgbouncer(direct.url, mode);
  opened.push(pooler);
  return { direct, url: pooler.url };
}

async function tablesOf(url: string): Promise<number> {
  const db = openDatabase({ url, connectionsMax: 1, log: silentLog });
  const [row] = await sql<{ n: number }>(db, `select count(*)::int as n from pg_tables where schemaname = 'public'`);
  await db.close();
  return row?.n ?? 0;
}

test('a server that is reached directly is found to be one, with one connection', async () => {
  const direct = await cloneDatabase();
  opened.push(direct);
  const connector = createConnector(direct.url);
  const client = await connector.connect({});
  assert.equal(await findRoute(client, connector), 'server');
  await client.end();
});

for (const mode of ['transaction', 'statement'] as const) {
  test(`a start through PgBouncer in ${mode} mode is refused in a sentence, before any table exists`, {
    skip: noPgbouncer,
  }, async () => {
    const { direct, url } = await openPooler(mode);
    await assert.rejects(migrate(url), { name: 'TransactionPoolerError' });
    const program = startCli({ DATABASE_URL: url, DIALPLANE_SECRET: TEST_SECRET });
    assert.equal((await program.ended()).code, 1);
    assert.match(program.text(), /^DATABASE_URL .* cannot be used: it leads to a pooler in transaction mode/m);
    assert.match(program.text(), /Use the address of the server itself, or of a pooler in session mode/);
    assert.doesNotMatch(program.text(), /^\s+at /m);
    assert.equal(await tablesOf(direct.url), 0);
  });
}

test('PgBouncer in session mode works', { skip: noPgbouncer }, async () => {
  const { url } = await openPooler('session');
  assert.ok((await migrate(url)).length > 0);
  const program = startCli({ DATABASE_URL: url, DIALPLANE_SECRET: TEST_SECRET, DATABASE_CONNECTIONS: '8' });
  const api = await program.ready();
  assert.equal((await fetch(`${api}/readyz`)).status, 200);
  assert.equal((await program.ended('SIGTERM')).code, 0, program.text());
});
