// own process: a start listens for signals until its process ends.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type CliOutcome, runCommand, runHere, startCli } from '../../test/support/cli-process.ts';
import { cloneDatabase } from '../../test/support/database.ts';
import { TEST_SECRET, useHarness } from '../../test/support/harness.ts';
import { readMigrations } from '../db/migrate.ts';
import { COMMAND_GROUPS } from './catalog.ts';

const harness = await useHarness({ startWorkers: false });

/** Runs the program on the harness's database. */
function dialplane(words: readonly string[], env: Record<string, string> = {}): Promise<CliOutcome> {
  return runHere(words, { DATABASE_URL: harness.databaseUrl, DIALPLANE_SECRET: TEST_SECRET, PORT: '0', ...env });
}

async function json(...words: string[]) {
  const { code, out, err } = await dialplane([...words, '--json']);
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

const noKinds = () => Promise.resolve([]);

const status = async (key: string) => (await harness.call('GET', '/v1/tenants', { key })).status;

test('a new account has two keys that work', async () => {
  const account = await json('accounts', 'create', 'Desert Dental');
  assert.equal(account.name, 'Desert Dental');
  assert.equal(await status(account.test_key), 200);
  assert.equal(await status(account.live_key), 200);
  const ids = (await json('accounts', 'list')).map((row: { id: string }) => row.id);
  assert.ok(ids.includes(account.id));
});

test('migrate applies the migrations of an empty database and names them, and then has nothing to do', async (t) => {
  const database = await cloneDatabase();
  t.after(() => database.drop());
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query('drop schema public cascade; create schema public');
  await client.end();
  const migrate = async () => {
    const { code, out, err } = await dialplane(['migrate', '--json'], { DATABASE_URL: database.url });
    assert.equal(code, 0, err);
    return JSON.parse(out).applied;
  };
  assert.deepEqual(
    await migrate(),
    (await readMigrations()).map(({ name }) => name),
  );
  assert.deepEqual(await migrate(), []);
});

test('a credit is added exactly, and once for one reference', async () => {
  const account = await json('accounts', 'create', 'To credit');
  const credit = (amount: string, ...more: string[]) => json('accounts', 'credit', account.id, amount, ...more);
  const first = await credit('0.1', '--reference', 'wire 7');
  assert.deepEqual(first, { account_id: account.id, credited: true, balance_usd: '0.10' });
  assert.equal((await credit('0.2')).balance_usd, '0.30');
  assert.equal((await credit('0.2')).balance_usd, '0.50');
  assert.deepEqual(await credit('99', '--reference', 'wire 7'), { ...first, credited: false, balance_usd: '0.50' });
  const balance = await harness.call('GET', '/v1/balance', { key: account.live_key });
  assert.equal(balance.body.amount_usd, '0.50');
});

test('a text that is no amount is not credited', async () => {
  for (const amount of ['0', '1.0000001', '1e3', 'ten', '$5', '1,000']) {
    const { code, err } = await dialplane(['accounts', 'credit', harness.account.id, amount]);
    assert.equal(code, 2, amount);
    assert.match(err, /AMOUNT_USD/);
  }
  assert.equal((await dialplane(['accounts', 'credit', 'acct_none', '5'])).code, 1);
});

test('a suspended account is refused until it is resumed', async () => {
  const account = await json('accounts', 'create', 'To suspend');
  await json('accounts', 'suspend', account.id);
  assert.equal(await status(account.test_key), 403);
  await json('accounts', 'resume', account.id);
  const other = await json('keys', 'create', '--account', account.id, '--mode', 'test');
  assert.equal(await status(other.key), 200);
});

test('a key of one tenant reaches that tenant only', async () => {
  const one = await harness.call('POST', '/v1/tenants', { body: { name: 'One' } });
  const two = await harness.call('POST', '/v1/tenants', { body: { name: 'Two' } });
  const words = ['keys', 'create', '--account', harness.account.id, '--mode', 'test', '--tenant', one.body.id];
  const { key, tenant_id } = await json(...words, '--name', 'Front desk');
  assert.equal(tenant_id, one.body.id);
  assert.equal((await harness.call('GET', `/v1/tenants/${one.body.id}`, { key })).status, 200);
  assert.equal((await harness.call('GET', `/v1/tenants/${two.body.id}`, { key })).status, 403);
});

test('no key is made for a tenant of the other mode', async () => {
  const tenant = await harness.call('POST', '/v1/tenants', { body: { name: 'Test only' } });
  const words = ['keys', 'create', '--account', harness.account.id, '--mode', 'live', '--tenant', tenant.body.id];
  const { code, err } = await dialplane(words);
  assert.equal(code, 1);
  assert.match(err, /no such tenant/);
});

test('a secret is shown only when it is made', async () => {
  const { out } = await dialplane(['keys', 'create', '--account', harness.account.id, '--mode', 'test']);
  const [secret = ''] = /svc_test_\w{32}/.exec(out) ?? [];
  assert.equal(await status(secret), 200);
  for (const words of [[], ['--json']]) {
    const list = await dialplane(['keys', 'list', '--account', harness.account.id, ...words]);
    assert.equal(list.code, 0);
    assert.ok(list.out.includes(secret.slice(-4)));
    assert.doesNotMatch(list.out, /svc_(test|live)_|key_hash|ledger_id/);
  }
});

test('a revoked key is refused', async () => {
  const made = await json('keys', 'create', '--account', harness.account.id, '--mode', 'live');
  await json('keys', 'revoke', made.id);
  assert.equal(await status(made.key), 401);
});

test('a rotated key stays valid beside the new one, or ends immediately if asked', async () => {
  const made = await json('keys', 'create', '--account', harness.account.id, '--mode', 'test');
  const second = await json('keys', 'rotate', made.id);
  assert.deepEqual([await status(made.key), await status(second.key)], [200, 200]);
  const third = await json('keys', 'rotate', second.id, '--expires-in', '0');
  assert.equal(await status(third.key), 200);
  const again = await dialplane(['keys', 'rotate', second.id]);
  assert.equal(again.code, 1);
});

for (const [words, pattern] of [
  [['acounts', 'lst'], /^dialplane: unknown command 'acounts'\. Did you mean accounts\?\n/],
  [['bogus'], /^dialplane: unknown command 'bogus'\n/],
  [['hlep'], /unknown command 'hlep'\. Did you mean help\?\n/],
  [['keys', 'bogus'], /unknown command 'bogus'\n/],
  [['keys', 'list', '--acount', 'acct_1'], /^keys list: unknown option '--acount'\. Did you mean --account\?\n/],
  [['keys', 'list', '--bogus'], /^keys list: unknown option '--bogus'\n/],
  [['keys', 'lst'], /unknown command 'lst'\. Did you mean list\?\n/],
  [['keys'], /Usage: node bin\/dialplane\.mjs keys COMMAND/],
  [['keys', 'create', '--account', 'acct_1'], /--mode is missing/],
  [['keys', 'create', '--account', 'acct_1', '--mode', 'both'], /give test or live/],
  [['keys', 'rotate', 'key_1', '--expires-in', 'soon'], /whole seconds/],
  [['keys', 'rotate', 'key_1', '--expires-in', '-1'], /^keys rotate: --expires-in is "-1"; give whole seconds/],
  [['keys', 'rotate', '--expires-in', '-1', 'key_1'], /^keys rotate: --expires-in is "-1"; give whole seconds/],
  [['accounts', 'list', '--verbose'], /--verbose/],
  [['accounts', 'create'], /^accounts create: missing required argument 'NAME'/],
  [['accounts', 'create', 'One', 'Two'], /^accounts create: too many arguments/],
  [['help', 'acounts'], /Usage: node bin\/dialplane\.mjs COMMAND/],
] as const) {
  test(`"${words.join(' ')}" is not understood: exit code 2 and the way out`, async () => {
    const { code, out, err } = await dialplane(words);
    assert.equal(code, 2);
    assert.match(err, pattern);
    assert.equal(out, '');
  });
}

test('help and the version go to standard output', async () => {
  const version = await dialplane(['--version']);
  for (const words of [['help'], ['--help'], []]) {
    const help = await dialplane(words);
    assert.deepEqual([help.code, help.err], [0, '']);
    assert.match(help.out, /Run a server:.*^ {2}keys .*Build on the API:.*^ {2}listen /ms);
  }
  assert.match(version.out, /^\d+\.\d+\.\d+\n$/);
});

test('the help of a command has its usage, the meaning of its options, and examples', async () => {
  for (const words of [
    ['listen', '--help'],
    ['help', 'listen'],
  ]) {
    const { code, out } = await dialplane(words);
    assert.equal(code, 0);
    assert.match(out, /^Usage: node bin\/dialplane\.mjs listen --forward-to URL/);
    assert.match(out, /^ {2}--events TYPES +Types, separated by commas/m);
    assert.match(out, /^Examples:\n {2}node bin\/dialplane\.mjs listen /m);
  }
});

test('the program and the commands of one word sum them up alike, and explain every option', async () => {
  for (const group of COMMAND_GROUPS) {
    for (const { name, summary, options, repeatable = [], flags = [], meanings = {} } of await group.load(noKinds)) {
      assert.equal(name.split(' ')[0], group.word);
      if (name === group.word) assert.equal(summary, group.summary);
      const unexplained = [...options, ...repeatable, ...flags].filter((option) => meanings[option] === undefined);
      assert.deepEqual(unexplained, [], name);
    }
  }
});

test('the help of the program loads no command', async () => {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const listed = new URL('../../test/support/loaded-modules.ts', import.meta.url).href;
  const child = spawn(process.execPath, ['--import', listed, main, '--help']);
  child.stderr.setEncoding('utf8');
  const err = (await child.stderr.toArray()).join('');
  assert.match(err, /src\/cli\/run\.ts/);
  assert.doesNotMatch(err, /src\/(server|domain|db)\/|accounts\.ts/);
});

test('colours are for terminals, and can be switched off', async () => {
  const [piped, forced, off] = await Promise.all([
    runCommand(['keys', '--help'], {}),
    runCommand(['keys', '--help'], { FORCE_COLOR: '1' }),
    runCommand(['keys', '--help'], { FORCE_COLOR: '1', NO_COLOR: '1' }),
  ]);
  assert.deepEqual([piped.out.includes('\u001b'), forced.out.includes('\u001b')], [false, true]);
  assert.ok(!off.out.includes('\u001b'));
});

test('an unknown id is reported as unknown', async () => {
  for (const words of [
    ['accounts', 'suspend', 'acct_none'],
    ['keys', 'list', '--account', 'acct_none'],
    ['keys', 'revoke', 'key_none'],
  ]) {
    const { code, err } = await dialplane(words);
    assert.equal(code, 1);
    assert.match(err, /There is no/);
  }
});

type Found = { check: string; state: string; found: string };

test('the doctor finds no fault in a working installation', async () => {
  const findings: Found[] = await json('doctor');
  assert.deepEqual(
    findings.filter(({ state }) => state === 'bad'),
    [],
  );
  const checks = findings.map(({ check }) => check);
  for (const check of [
    'node',
    'database',
    'migrations',
    'disk',
    'clock',
    'secret',
    'port',
    'webhooks',
    'audio',
    'speech',
    'live speech',
  ]) {
    assert.ok(checks.includes(check), check);
  }
});

test('the doctor compares the secret with the database, and asks Redis', async () => {
  const good: Found[] = await json('doctor');
  assert.match(good.find(({ check }) => check === 'connections')?.found ?? '', /to the server itself; up to 24/);
  const program = startCli({ DATABASE_URL: harness.databaseUrl, DIALPLANE_SECRET: TEST_SECRET });
  await program.ready();
  await program.ended('SIGTERM');
  const other = 'another secret than the one that it was first used with';
  const env = { DIALPLANE_SECRET: other, REDIS_URL: 'redis://127.0.0.1:1' };
  const { code, out } = await dialplane(['doctor', '--json'], env);
  assert.equal(code, 1);
  const found = (check: string) => JSON.parse(out).find((each: Found) => each.check === check);
  assert.equal(found('secret').state, 'bad');
  assert.match(found('secret').found, /does not decrypt/);
  assert.equal(found('redis').state, 'note');
  assert.match(found('redis').found, /ECONNREFUSED/);
  assert.match((await json('doctor')).find(({ check }: Found) => check === 'secret').found, /it opens the database/);
});

test('a command whose reader has gone ends as usual', async () => {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, 'doctor'], {
    env: { DATABASE_URL: harness.databaseUrl, DIALPLANE_SECRET: TEST_SECRET, PORT: '0' },
  });
  child.stdout.destroy();
  let err = '';
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  assert.deepEqual([code, err], [0, '']);
});

test('the doctor names an unreachable database, a port in use and a bad configuration, and exits with 1', async () => {
  const unreachable = await dialplane(['doctor', '--json'], { DATABASE_URL: 'postgres://localhost:1/none' });
  assert.equal(unreachable.code, 1);
  assert.match(JSON.parse(unreachable.out).find(({ check }: Found) => check === 'database').found, /nothing listens/);

  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const address = taken.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const busy = await dialplane(['doctor', '--json'], { PORT: port });
  taken.close();
  assert.equal(busy.code, 1);
  assert.equal(JSON.parse(busy.out).find(({ check }: Found) => check === 'port').state, 'bad');

  const nowhere = await dialplane(['doctor'], { DATABASE_URL: '', DIALPLANE_DATA: '/proc/none/of/this' });
  assert.match(nowhere.out, /disk/);
  assert.doesNotMatch(nowhere.err, /at .*\.ts/);

  const unset = await dialplane(['doctor'], { DIALPLANE_SECRET: '' });
  assert.equal(unset.code, 1);
  assert.match(unset.out, /BAD .*DIALPLANE_SECRET is missing/);
});

test('a database of other migrations is refused by every command, in a sentence with the next step', async () => {
  const other = await cloneDatabase();
  const client = new pg.Client({ connectionString: other.url });
  await client.connect();
  await client.query(`update schema_migrations set name = '0002_other' where number = 2`);
  await client.end();
  for (const words of [['start'], ['accounts', 'list'], ['doctor']]) {
    const { code, out, err } = await dialplane(words, { DATABASE_URL: other.url });
    assert.equal(code, 1);
    assert.match(out + err, /cannot be upgraded to this one: its migration 2 is 0002_other/);
    assert.match(out + err, /Set DATABASE_URL to an empty database, or run the version that made this one\./);
    assert.doesNotMatch(out + err, /at .*\.ts/);
  }
  await other.drop();
});

test('an unreachable database is reported in a sentence, without its password', async () => {
  const { code, err } = await dialplane(['accounts', 'list'], { DATABASE_URL: 'postgres://me:hush@localhost:1/none' });
  assert.equal(code, 1);
  assert.match(err, /nothing listens there/);
  assert.doesNotMatch(err, /hush|at .*\.ts/);
});
