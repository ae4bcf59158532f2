/** The backups of docs/operating.md: after a mistake the database is restored to the moment before it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { openDatabase } from '../../src/db/database.ts';
import { createAccount } from '../../src/domain/accounts/index.ts';
import { binariesIn } from '../../src/server/embedded-postgres/binaries.ts';
import { createCaller } from '../support/caller.ts';
import { startCli } from '../support/cli-process.ts';
import { useClusters } from '../support/clusters.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { silentLog, sql } from '../support/jobs.ts';
import { expectStatus, makeSenderAt } from '../support/product-process.ts';
import { findProgram, missing } from '../support/programs.ts';

const skip = missing('pgbackrest') || missing('postgresql-15');
const STANZA = ['--stanza=dialplane'];

/** A database server that archives as the page says, and pgBackRest. */
async function startArchivedServer() {
  const clusters = useClusters();
  const folder = clusters.newFolder();
  const config = join(clusters.root, 'pgbackrest.conf');
  const program = findProgram('pgbackrest') ?? assert.fail();
  const binaries = binariesIn(dirname(dirname(findProgram('postgresql-15') ?? assert.fail())), '15');
  const start = () =>
    clusters.start(folder, {
      binaries,
      settings: {
        archive_mode: 'on',
        archive_command: `${program} --config=${config} ${STANZA.join(' ')} archive-push %p`,
      },
    });
  const server = await start();
  const data = join(server.folder, 'data');
  const { uid, gid } = statSync(data);
  const repository = join(clusters.root, 'repository');
  mkdirSync(repository);
  await promisify(execFile)('chown', ['-R', `${uid}:${gid}`, repository]);
  const { port, searchParams, username, pathname } = new URL(server.connectionString);
  const text = readFileSync(new URL('../../deploy/backup/pgbackrest.conf', import.meta.url), 'utf8')
    .replace('/var/lib/pgbackrest', repository)
    .replace('/var/lib/postgresql/15/main', data)
    .replace('/var/run/postgresql', searchParams.get('host') ?? assert.fail())
    .replace(
      'pg1-port=5432',
      `pg1-port=${port}\npg1-user=${username}\npg1-database=${pathname.slice(1)}\nlock-path=${repository}`,
    );
  writeFileSync(config, text);
  const backrest = async (...words: string[]) => {
    const options = { uid, gid, cwd: '/' };
    return (await promisify(execFile)(program, [`--config=${config}`, ...STANZA, ...words], options)).stdout;
  };
  return { server, start, backrest };
}

/** Starts the API on a database. Nothing is sent: there is no worker. */
async function startApi(t: TestContext, databaseUrl: string, key: string, options: readonly string[] = []) {
  const env = { DATABASE_URL: databaseUrl, DIALPLANE_SECRET: TEST_SECRET, DIALPLANE_RATE_LIMIT: 'off' };
  const program = startCli(env, ['--roles', 'api', ...options]);
  t.after(() => program.child.kill('SIGKILL'));
  return { program, call: createCaller(await program.ready(), key) };
}

test('a database is restored to the moment before a mistake, with all that was acknowledged until then', {
  skip,
}, async (t) => {
  const { server, start, backrest } = await startArchivedServer();
  await backrest('stanza-create');
  await backrest('check');
  const url = server.connectionString;
  const first = startCli({ DATABASE_URL: url, DIALPLANE_SECRET: TEST_SECRET }, ['--roles', 'api']);
  await first.ready();
  assert.equal((await first.ended('SIGTERM')).code, 0);
  const db = openDatabase({ url, connectionsMax: 2, log: silentLog });
  const account = await db.transaction((tx) => createAccount(tx, 'First account'));
  const { program, call } = await startApi(t, url, account.test_key);
  const { numberId } = await makeSenderAt(call);
  const send = async (body: string) => {
    const text = { from: numberId, to: '+16025550170', body };
    return (await expectStatus(call('POST', '/v1/messages', { body: text }), 201)).id as string;
  };
  const inBackup = await send('in the backup');
  await backrest('backup');
  const afterBackup = await send('after the backup');
  // pgBackRest looks for a backup whose end, in whole seconds, is before the moment.
  await sql(db, 'select pg_sleep(1.1)');
  const [{ moment } = assert.fail()] = await sql<{ moment: string }>(db, 'select clock_timestamp()::text as moment');
  const afterMoment = await send('after the moment');
  await sql(db, 'delete from messages');
  assert.equal((await program.ended('SIGTERM')).code, 0);
  await db.close();
  await server.stop();

  await backrest('restore', '--type=time', `--target=${moment}`, '--target-action=promote');
  const restored = await start();
  t.after(() => restored.stop());
  const { call: ask } = await startApi(t, restored.connectionString, account.test_key, ['--paused']);
  for (const [id, status] of [
    [inBackup, 200],
    [afterBackup, 200],
    [afterMoment, 404],
  ] as const)
    await expectStatus(ask('GET', `/v1/messages/${id}`), status);
  assert.match(await backrest('info'), /cipher: aes-256-cbc/);
});
