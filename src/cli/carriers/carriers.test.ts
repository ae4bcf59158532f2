import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type CliOutcome, runCommand, runHere } from '../../../test/support/cli-process.ts';
import { TEST_SECRET, useHarness } from '../../../test/support/harness.ts';
import { sql } from '../../../test/support/jobs.ts';
import { makeTenant } from '../../../test/support/numbers.ts';
import { PAPER_KEY, PAPER_KIND } from '../../../test/support/paper-carrier.ts';

const harness = await useHarness({ startWorkers: false });
const folder = await mkdtemp(join(tmpdir(), 'dialplane-carriers-'));
after(() => rm(folder, { recursive: true, force: true }));

const PROGRAM = fileURLToPath(new URL('../../../test/support/cli-program.ts', import.meta.url));

const ENVIRONMENT = { DATABASE_URL: harness.databaseUrl, DIALPLANE_SECRET: TEST_SECRET };

const dialplane = (...words: string[]) => runHere(words, ENVIRONMENT, [PAPER_KIND]);

let files = 0;

/** Writes a file. Returns its path. */
async function fileOf(text: string): Promise<string> {
  const file = join(folder, `file-${files++}`);
  await writeFile(file, text);
  return file;
}

async function add(name: string, key: string, ...more: string[]): Promise<CliOutcome> {
  const secrets = await fileOf(`# from the carrier's portal\napi_key = ${key}\n`);
  return dialplane('carriers', 'add', 'paper', name, '--set', 'region=us', '--secrets-from', secrets, ...more);
}

test('a connection is added with credentials that are never shown, or stored as they are', async () => {
  const added = await add('main', PAPER_KEY);
  assert.equal(added.code, 0, added.err);
  const listed = await dialplane('carriers', 'list', '--json');
  const [row] = JSON.parse(listed.out);
  assert.match(row.id, /^ccn_/);
  assert.deepEqual(
    [row.kind, row.name, row.status, row.account_id, row.settings],
    ['paper', 'main', 'active', null, { region: 'us' }],
  );
  for (const { out, err } of [added, listed]) assert.ok(!`${out}${err}`.includes(PAPER_KEY));
  const stored = await sql<{ text: string }>(
    harness.context.db,
    "select row_to_json(c)::text || encode(credentials, 'escape') as text from carrier_connections c",
  );
  assert.ok(!stored.some(({ text }) => text.includes(PAPER_KEY)));
});

test('credentials come from standard input as well, and not from a file that is not there', async () => {
  const words = ['carriers', 'add', 'paper', 'from-input', '--set', 'region=eu', '--set', 'profile=p1'];
  const input = `api_key=${PAPER_KEY}\n`;
  const added = await runCommand([...words, '--secrets-from', '-'], ENVIRONMENT, { main: PROGRAM, input });
  assert.equal(added.code, 0, added.err);
  assert.match((await dialplane('carriers', 'check', 'from-input')).out, /accepted in eu/);
  const missing = await dialplane(...words, '--secrets-from', join(folder, 'nowhere'));
  assert.equal(missing.code, 1);
  assert.match(missing.err, /nowhere cannot be read/);
});

for (const [what, words, input, code, says] of [
  ['an unknown kind', ['nokia', 'x1', '--set', 'region=us'], '', 1, /no adapter.*"nokia".*The kinds are paper/],
  ['a name of another form', ['paper', 'Not A Name'], '', 2, /NAME has 1 to 63/],
  ['an unknown setting', ['paper', 'x1', '--set', 'colour=red'], '', 1, /there is no "colour".*region, profile/],
  ['a missing setting', ['paper', 'x1'], '', 1, /"region" is missing: Where the account is/],
  ['a missing credential', ['paper', 'x1', '--set', 'region=us'], '', 1, /"api_key" is missing/],
  [
    'a value that the adapter does not take',
    ['paper', 'x1', '--set', 'region=mars'],
    `api_key=${PAPER_KEY}`,
    1,
    /no region mars/,
  ],
  ['a line that is no field', ['paper', 'x1', '--set', 'region=us'], 'hunter2', 2, /the 1\. is not KEY=VALUE/],
] as const) {
  test(`${what} is refused, with what would be right, and adds nothing`, async () => {
    const secrets = input === '' ? [] : ['--secrets-from', await fileOf(input)];
    const refused = await dialplane('carriers', 'add', ...words, ...secrets);
    assert.equal(refused.code, code, refused.err);
    assert.match(refused.err, says);
    assert.ok(!refused.err.includes('hunter2'));
    const names = JSON.parse((await dialplane('carriers', 'list', '--json')).out).map(
      ({ name }: { name: string }) => name,
    );
    assert.ok(!names.includes('x1'));
  });
}

test('an installation has at most 1,000 connections', async () => {
  const { db } = harness.context;
  await sql(
    db,
    `insert into carrier_connections (id, kind, name, settings, credentials)
     select 'ccn_full' || n, 'paper', 'full-' || n, '{}', '' from generate_series(1, 1000) n`,
    [],
  );
  const refused = await add('one-more', PAPER_KEY);
  assert.deepEqual([refused.code, /There are 1000 connections/.test(refused.err)], [1, true], refused.err);
  await sql(db, "delete from carrier_connections where name like 'full-%'", []);
  assert.equal((await add('one-more', PAPER_KEY)).code, 0);
});

test('a second connection of the same name is refused', async () => {
  assert.equal((await add('twice', PAPER_KEY)).code, 0);
  const second = await add('twice', PAPER_KEY);
  assert.equal(second.code, 1);
  assert.match(second.err, /There is a connection twice already/);
});

test('a check asks the carrier, exits with 1 for a bad finding, and gives the next step; doctor does the same', async () => {
  await add('sound', PAPER_KEY);
  const good = await dialplane('carriers', 'check', 'sound');
  assert.equal(good.code, 0, good.err);
  assert.match(good.out, /ok\s+sound\s+key: accepted in us/);
  await add('stale', 'a key that was revoked');
  const bad = await dialplane('carriers', 'check', 'stale');
  assert.equal(bad.code, 1);
  assert.match(bad.out, /BAD\s+stale\s+key: refused\n\s+-> Make a new key at the carrier\./);
  assert.equal((await dialplane('carriers', 'check')).code, 1, 'all connections');
  assert.match((await dialplane('doctor')).out, /BAD\s+stale: key\s+refused/);
  assert.equal((await dialplane('carriers', 'disable', 'stale')).code, 0);
  assert.doesNotMatch((await dialplane('doctor')).out, /stale/);
  assert.equal((await dialplane('carriers', 'check', 'nobody')).code, 1);
});

test('the notices of a connection are listed', async () => {
  await add('heard', PAPER_KEY);
  const text = `insert into carrier_inbox (connection_id, notice_id, lane_key, type, body, state)
    select id, 'n1', 'call_1', 'call.ended', '{}', 'ignored' from carrier_connections where name = 'heard'`;
  await sql(harness.context.db, text);
  const [notice] = JSON.parse((await dialplane('carriers', 'notices', 'heard', '--json')).out);
  assert.deepEqual([notice.id, notice.type, notice.state, notice.about], ['n1', 'call.ended', 'ignored', 'call_1']);
});

test('a request without an outcome is listed and settled by hand, once', async () => {
  await add('asked', PAPER_KEY);
  const text = `insert into carrier_requests (id, connection_id, ledger_id, operation, ref, sent_at)
    select 'crq_1', id, 1, 'send', 'msg_1', now() - interval '2 minutes' from carrier_connections where name = 'asked'`;
  await sql(harness.context.db, text);
  const [open] = JSON.parse((await dialplane('carriers', 'reconcile', '--json')).out);
  assert.deepEqual([open.id, open.connection, open.operation, open.ref], ['crq_1', 'asked', 'send', 'msg_1']);
  assert.equal((await dialplane('carriers', 'reconcile', '--settle', 'crq_1', 'perhaps')).code, 2);
  const settled = await dialplane('carriers', 'reconcile', '--settle', 'crq_1', 'accepted');
  assert.match(settled.out, /send of msg_1 is settled: the carrier has it/);
  assert.equal((await dialplane('carriers', 'reconcile', '--settle', 'crq_1', 'absent')).code, 1);
});

test('a setup says what it made', async () => {
  await add('fresh', PAPER_KEY);
  const done = await dialplane('carriers', 'setup', 'fresh');
  assert.deepEqual([done.code, done.out.trim()], [0, 'Made the profile "dialplane".']);
});

test('a change replaces what it names, and is checked like a new connection', async () => {
  await add('moving', 'a key that was revoked', '--set', 'profile=p1');
  const change = (...words: string[]) => dialplane('carriers', 'change', 'moving', ...words);
  const secrets = await fileOf(`api_key=${PAPER_KEY}\n`);
  const changed = await change('--set', 'region=eu', '--set', 'profile=', '--secrets-from', secrets);
  assert.equal(changed.code, 0, changed.err);
  assert.match(changed.out, /Changed region, profile, api_key of moving/);
  assert.match((await dialplane('carriers', 'check', 'moving')).out, /accepted in eu/);
  const rows = JSON.parse((await dialplane('carriers', 'list', '--json')).out);
  assert.deepEqual(rows.find(({ name }: { name: string }) => name === 'moving').settings, { region: 'eu' });
  assert.equal((await change()).code, 2);
  for (const wrong of ['region=mars', 'region=', 'colour=red']) assert.equal((await change('--set', wrong)).code, 1);
  assert.match((await dialplane('carriers', 'check', 'moving')).out, /accepted in eu/);
});

test('a setup that the carrier refuses says why, and exits with 1', async () => {
  await add('unfit', PAPER_KEY, '--set', 'profile=none');
  const { code, err } = await dialplane('carriers', 'setup', 'unfit');
  assert.equal(code, 1);
  assert.match(err, /^unfit: profile: there is no profile none$/m);
  assert.doesNotMatch(err, /\n +at /);
});

test('a connection is used for a capability that it has, by all accounts or by one', async () => {
  await add('used', PAPER_KEY);
  const used = await dialplane('carriers', 'use', 'numbers', 'used');
  assert.equal(used.code, 0, used.err);
  assert.equal((await dialplane('carriers', 'use', 'voice', 'used', '--account', harness.account.id)).code, 0);
  const rows = JSON.parse((await dialplane('carriers', 'list', '--json')).out);
  const { used_for } = rows.find(({ name }: { name: string }) => name === 'used');
  assert.equal(used_for, `numbers, voice of ${harness.account.id}`);
  for (const [words, says] of [
    [['porting', 'used'], /have no porting/],
    [['numbers', 'unknown'], /There is no connection unknown/],
    [['numbers', 'used', '--account', 'acct_none'], /There is no account acct_none/],
  ] as const) {
    const refused = await dialplane('carriers', 'use', ...words);
    assert.equal(refused.code, 1);
    assert.match(refused.err, says);
  }
  assert.equal((await dialplane('carriers', 'use', 'faxes', 'used')).code, 2);
});

test('a connection of one account is used by that account alone', async () => {
  await add('private', PAPER_KEY, '--account', harness.account.id);
  const refused = await dialplane('carriers', 'use', 'numbers', 'private');
  assert.equal(refused.code, 1);
  assert.match(refused.err, new RegExp(`add "--account ${harness.account.id}"`));
});

test('a drained connection is not chosen for anything, until it is enabled', async () => {
  await add('old', PAPER_KEY);
  assert.match((await dialplane('carriers', 'drain', 'old')).out, /old is draining/);
  assert.match((await dialplane('carriers', 'use', 'numbers', 'old')).err, /old is draining; .*carriers enable old/);
  assert.match((await dialplane('carriers', 'enable', 'old')).out, /old is active/);
  assert.equal((await dialplane('carriers', 'use', 'numbers', 'old')).code, 0);
});

test('numbers that the operator has are given to a live tenant once, and are not released at the carrier', async () => {
  await add('owned', PAPER_KEY);
  const key = harness.account.live_key;
  const tenantId = await makeTenant(harness, key);
  const file = await fileOf('# ours\n+16025550301\n+16025550302\n+16025550301\n');
  const words = ['numbers', 'import', file, '--connection', 'owned', '--tenant', tenantId, '--json'];
  assert.deepEqual(JSON.parse((await dialplane(...words)).out), { added: 2, present: 0, taken: [] });
  assert.deepEqual(JSON.parse((await dialplane(...words)).out), { added: 0, present: 2, taken: [] });
  const { data } = (await harness.call('GET', `/v1/phone_numbers?tenant_id=${tenantId}`, { key })).body;
  assert.deepEqual(
    data.map((number: Record<string, unknown>) => [number['phone_number'], number['status'], number['capabilities']]),
    ['+16025550302', '+16025550301'].map((number) => [number, 'active', ['sms', 'mms', 'voice']]),
  );
  assert.equal((await harness.call('DELETE', `/v1/phone_numbers/${data[0].id}`, { key })).body.status, 'released');
  assert.deepEqual(await sql(harness.context.db, "select 1 from jobs where kind = 'number.release'"), []);

  const other = await makeTenant(harness, key);
  const taken = await dialplane(...words.map((word) => (word === tenantId ? other : word)));
  assert.equal(taken.code, 1);
  assert.deepEqual(JSON.parse(taken.out), { added: 1, present: 0, taken: ['+16025550301'] });
});

test('a file with a line that is no number, or a tenant of test mode, imports nothing', async () => {
  const file = await fileOf('+16025550303\n6025550304\n');
  const words = (tenant: string) => ['numbers', 'import', file, '--connection', 'owned', '--tenant', tenant];
  assert.match((await dialplane(...words('tnt_1'))).err, /line 2: not an E\.164 number/);
  await writeFile(file, '+16025550303\n');
  assert.match((await dialplane(...words(await makeTenant(harness)))).err, /There is no live tenant/);
});

test('a toll-free number that is imported is for calls alone, and the command says why', async () => {
  await add('tollfree', PAPER_KEY);
  const key = harness.account.live_key;
  const tenantId = await makeTenant(harness, key);
  const file = await fileOf('+18335550301\n+16025550305\n');
  const { out } = await dialplane('numbers', 'import', file, '--connection', 'tollfree', '--tenant', tenantId);
  assert.match(out, /1 of the numbers are toll-free\. .*only after a verification/);
  const { data } = (await harness.call('GET', `/v1/phone_numbers?tenant_id=${tenantId}`, { key })).body;
  const capabilities = new Map(
    data.map((each: Record<string, unknown>) => [each['phone_number'], each['capabilities']]),
  );
  assert.deepEqual(capabilities.get('+18335550301'), ['voice']);
  assert.deepEqual(capabilities.get('+16025550305'), ['sms', 'mms', 'voice']);
});
