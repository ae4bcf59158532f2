/** The runbook of docs/operating.md: a restored backup is started paused, inspected, and resumed. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { WebSocket } from 'ws';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { createAccount } from '../../src/domain/accounts/index.ts';
import { type Caller, createCaller } from '../support/caller.ts';
import { type CliProcess, startCli } from '../support/cli-process.ts';
import { cloneDatabase, copyDatabase } from '../support/database.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { silentLog, sql, until } from '../support/jobs.ts';
import { expectStatus, makeSenderAt, registerAt } from '../support/product-process.ts';
import { useReceiver } from '../support/receiver.ts';
import { makeScratch } from '../support/scratch.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const scratch = makeScratch('restore');
const running: CliProcess[] = [];

after(() => {
  for (const { child } of running) child.kill('SIGKILL');
  scratch.remove();
});

type Environment = Readonly<Record<string, string>>;

function start(env: Environment, options: readonly string[] = []): CliProcess {
  const program = startCli(env, options);
  running.push(program);
  return program;
}

/** Runs `dialplane WORDS --json` and returns what it prints. */
async function command(env: Environment, ...words: string[]) {
  const options = { env: { PATH: process.env['PATH'] ?? '', ...env } };
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...words, '--json'], options);
  return JSON.parse(stdout);
}

async function withDatabase<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase({ url, connectionsMax: 2, log: silentLog });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** Waits until the workers have asked for jobs and for lanes again. */
async function untilWorkersLooked(db: Database): Promise<void> {
  const [{ since } = { since: null }] = await sql<{ since: Date | null }>(db, 'select clock_timestamp() as since');
  const looks = `select count(distinct query)::int as kinds from pg_stat_activity
    where datname = current_database() and query ~ 'with (due|recursive heads) as' and query_start > $1`;
  const asked = async () => (await sql<{ kinds: number }>(db, looks, [since]))[0]?.kinds ?? 0;
  let seen = 0;
  // Only the latest statement of a connection can be seen, so the test looks several times, and counts.
  await until(
    'the workers have looked for work',
    async () => {
      seen += await asked();
      return seen > 10;
    },
    15_000,
  );
}

test('a restored backup sends nothing until it is resumed, and then the events keep their ids', async () => {
  const receiver = await useReceiver();
  const original = await cloneDatabase();
  const account = await withDatabase(original.url, (db) => db.transaction((tx) => createAccount(tx, 'First account')));
  const env = {
    DATABASE_URL: original.url,
    DIALPLANE_SECRET: TEST_SECRET,
    DIALPLANE_ALLOW_LOCAL_WEBHOOKS: 'on',
    DIALPLANE_RATE_LIMIT: 'off',
  };
  // Without a worker everything waits, as in a backup that was made under load.
  const first = start(env, ['--roles', 'api']);
  const before = createCaller(await first.ready(), account.test_key);
  const { numberId, tenantId } = await makeSenderAt(before);
  await registerAt(before, receiver.url);
  const text = { from: numberId, to: '+16025550170', body: 'Hello' };
  const { id } = await expectStatus(before('POST', '/v1/messages', { body: text }), 201);
  const client = await expectStatus(
    before('POST', '/v1/web_clients', { body: { tenant_id: tenantId, name: 'Desk' } }),
    201,
  );
  const { token } = await expectStatus(before('POST', `/v1/web_clients/${client.id}/tokens`), 201);
  assert.equal((await first.ended('SIGTERM')).code, 0);

  const copy = await copyDatabase(original);
  const restored = { ...env, DATABASE_URL: copy.url };
  const program = start(restored, ['--paused']);
  const url = await program.ready();
  const call = createCaller(url, account.test_key);
  assert.match(program.text(), /Warning: this database was last used by another installation: http:\/\/localhost/);
  assert.match(program.text(), /Paused since .*node bin\/dialplane\.mjs resume/);

  await withDatabase(copy.url, async (db) => {
    await refusesChanges(call, { text, socketUrl: `${url.replace('http', 'ws')}/v1/softphone?token=${token}` });
    await untilWorkersLooked(db);
    assert.equal(receiver.received.length, 0);
    assert.equal((await call('GET', `/v1/messages/${id}`)).body.status, 'queued');

    // A second process is paused too, although it was started without the option.
    const worker = start(restored, ['--roles', 'worker']);
    await worker.ready();
    await untilWorkersLooked(db);
    assert.equal(receiver.received.length, 0);

    assert.notEqual((await command(restored, 'resume')).paused_since, null);
    assert.equal((await command(restored, 'resume')).paused_since, null);
    await until(
      'the text is delivered',
      async () => (await call('GET', `/v1/messages/${id}`)).body.status === 'delivered',
      15_000,
    );
    await until('its event arrives', () => receiver.received.some(({ event }) => event.resource_id === id), 15_000);
    const { data } = await expectStatus(call('GET', `/v1/events?resource_id=${id}`), 200);
    const [delivered] = receiver.received.filter(({ event }) => event.resource_id === id);
    assert.deepEqual(
      [delivered?.event.id],
      data.map((event: { id: string }) => event.id),
    );
    await until(
      'changes are accepted',
      async () => (await call('POST', '/v1/messages', { body: text })).status === 201,
      15_000,
    );
  });
  for (const { child } of running) child.kill('SIGKILL');
  await copy.drop();
  await original.drop();
});

/** Fails unless the paused installation answers reads, refuses changes and takes no logins of web clients. */
async function refusesChanges(call: Caller, { text, socketUrl }: { text: object; socketUrl: string }): Promise<void> {
  await expectStatus(call('GET', '/v1/messages'), 200);
  await expectStatus(call('GET', '/readyz', { key: null }), 200);
  for (const [method, path, body] of [
    ['POST', '/v1/messages', text],
    ['POST', '/v1/messages/check', text],
    ['DELETE', '/v1/tenants/ten_00000000000000000000000000', undefined],
  ] as const) {
    const { status, headers, body: reply } = await call(method, path, body === undefined ? {} : { body });
    assert.deepEqual([status, reply.error.code], [503, 'service_paused']);
    assert.ok(Number(headers.get('retry-after')) > 0);
  }
  const socket = new WebSocket(socketUrl);
  const code = await new Promise((resolve) => socket.on('close', resolve));
  assert.equal(code, 1013);
}

test('a copied data folder is recognised as a copy, and runs after it is resumed', async () => {
  const folder = join(scratch.path, 'install');
  const copied = join(scratch.path, 'copied');
  const first = start({ DIALPLANE_DATA: folder });
  await first.ready();
  assert.equal((await first.ended('SIGTERM')).code, 0);
  const again = start({ DIALPLANE_DATA: folder });
  await again.ready();
  assert.doesNotMatch(again.text(), /another installation/);
  assert.equal((await again.ended('SIGTERM')).code, 0);

  // Keeps the owners, as `cp -a` does.
  await promisify(execFile)('cp', ['-a', folder, copied]);
  const env = { DIALPLANE_DATA: copied };
  const program = start(env, ['--paused']);
  const call = createCaller(
    await program.ready(),
    JSON.parse(readFileSync(join(copied, 'keys.json'), 'utf8')).test_key,
  );
  assert.match(program.text(), new RegExp(`last used by another installation: ${folder} on `));
  assert.equal((await call('POST', '/v1/tenants', { body: { name: 'A' } })).body.error.code, 'service_paused');
  await command(env, 'resume');
  const create = async () => (await call('POST', '/v1/tenants', { body: { name: 'A' } })).status;
  await until('changes are accepted', async () => (await create()) === 201, 15_000);
  assert.equal((await program.ended('SIGTERM')).code, 0);
});
