/** TLS between Dialplane and a PostgreSQL server with a self-signed certificate for localhost, in each sslmode. */
import assert from 'node:assert/strict';
import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { DATABASE_CERTIFICATE, DATABASE_KEY } from '../../test/support/database-certificate.ts';
import { silentLog, sql, until } from '../../test/support/jobs.ts';
import { freePort } from '../../test/support/ports.ts';
import { RECEIVER_CERTIFICATE } from '../../test/support/receiver-certificate.ts';
import { makeScratch } from '../../test/support/scratch.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../server/embedded-postgres/start.ts';
import { type Database, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

const scratch = makeScratch('tls');
const rightCa = join(scratch.path, 'root.crt');
const wrongCa = join(scratch.path, 'other.crt');
let postgres: EmbeddedPostgres;
let url: URL;

before(async () => {
  postgres = await startEmbeddedPostgres({
    folder: join(scratch.path, 'postgres'),
    log: silentLog,
    port: await freePort(),
    systemFolder: join(scratch.path, 'system'),
  });
  url = new URL(postgres.connectionString);
  writeFileSync(rightCa, DATABASE_CERTIFICATE);
  writeFileSync(wrongCa, RECEIVER_CERTIFICATE);
  const cluster = join(postgres.folder, 'data');
  const { uid, gid } = statSync(cluster);
  for (const [name, text] of [
    ['server.crt', DATABASE_CERTIFICATE],
    ['server.key', DATABASE_KEY],
  ] as const) {
    writeFileSync(join(cluster, name), text, { mode: 0o600 });
    chownSync(join(cluster, name), uid, gid);
  }
});

after(async () => {
  await postgres.stop();
  scratch.remove();
});

/** Changes the server's configuration, waits until it is in force, and returns an address with these parameters. */
async function configure({ ssl, hba }: { ssl: boolean; hba: 'host' | 'hostssl' }): Promise<void> {
  writeFileSync(join(postgres.folder, 'data', 'pg_hba.conf'), `${hba} all all 127.0.0.1/32 scram-sha-256\n`);
  await withDatabase('sslmode=prefer', async (db) => {
    await sql(db, `alter system set ssl = ${ssl ? 'on' : 'off'}`);
    await sql(db, 'select pg_reload_conf()');
    await until('the setting is in force', async () => {
      const [row] = await sql<{ ssl: string }>(db, `select current_setting('ssl') as ssl`);
      return row?.ssl === (ssl ? 'on' : 'off');
    });
  });
}

async function withDatabase<T>(parameters: string, work: (db: Database) => Promise<T>, host = 'localhost'): Promise<T> {
  const address = new URL(url);
  address.hostname = host;
  address.search = parameters;
  const db = openDatabase({ url: address.href, connectionsMax: 2, log: silentLog });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Returns whether TLS is used, or the code of the error. */
function outcome(parameters: string, host?: string): Promise<string> {
  const look = async (db: Database) => {
    const [row] = await sql<{ ssl: boolean }>(db, 'select ssl from pg_stat_ssl where pid = pg_backend_pid()');
    return row?.ssl === true ? 'tls' : 'plain';
  };
  return withDatabase(parameters, look, host).catch((error: { code?: string; message: string; cause?: Error }) => {
    return error.code ?? error.message;
  });
}

test('a server with TLS: the default and prefer use it, require does not ask who signed, the verify modes do', async () => {
  await configure({ ssl: true, hba: 'host' });
  const verified = `sslrootcert=${rightCa}`;
  const other = `sslrootcert=${wrongCa}`;
  for (const [parameters, host, expected] of [
    ['', 'localhost', 'tls'],
    ['sslmode=disable', 'localhost', 'plain'],
    ['sslmode=allow', 'localhost', 'plain'],
    ['sslmode=prefer', '127.0.0.1', 'tls'],
    ['sslmode=require', '127.0.0.1', 'tls'],
    ['ssl=true', '127.0.0.1', 'tls'],
    [`sslmode=require&${other}`, '127.0.0.1', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    [`sslmode=verify-ca&${verified}`, '127.0.0.1', 'tls'],
    [`sslmode=verify-ca&${other}`, 'localhost', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    [`sslmode=verify-full&${verified}`, 'localhost', 'tls'],
    [`sslmode=verify-full&${verified}`, '127.0.0.1', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['sslmode=verify-full&sslrootcert=system', 'localhost', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ] as const) {
    assert.equal(await outcome(parameters, host), expected, `${parameters} at ${host}`);
  }
});

test('a server that takes TLS alone: allow falls back to it, disable is refused, migrations run', async () => {
  await configure({ ssl: true, hba: 'hostssl' });
  assert.equal(await outcome('sslmode=allow'), 'tls');
  assert.equal(await outcome('sslmode=disable'), '28000');
  assert.ok(
    (await migrate(`${url.href.replace('127.0.0.1', 'localhost')}?sslmode=verify-full&sslrootcert=${rightCa}`)).length >
      0,
  );
});

test('a server without TLS: prefer works without, require does not', async () => {
  await configure({ ssl: true, hba: 'host' });
  await configure({ ssl: false, hba: 'host' });
  assert.equal(await outcome('sslmode=prefer'), 'plain');
  assert.equal(await outcome(''), 'plain');
  assert.match(await outcome('sslmode=require'), /does not support SSL/);
});
