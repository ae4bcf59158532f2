import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand, runHere } from '../../../test/support/cli-process.ts';
import { CommandError } from '../command.ts';
import { findServer } from './server-access.ts';

const KEY = `svc_test_${'a'.repeat(28)}WXYZ`;
const OTHER_KEY = `svc_live_${'b'.repeat(28)}1234`;
const SERVER = 'https://phone.example';

/** Makes a user without profiles, with a home folder and commands to run. */
function newUser() {
  const home = mkdtempSync(join(tmpdir(), 'profiles-'));
  const env = { XDG_CONFIG_HOME: home, DIALPLANE_DATA: '/nonexistent', DIALPLANE_PROFILE: '', DIALPLANE_URL: '' };
  return {
    env: { ...env, DIALPLANE_KEY: '' },
    file: join(home, 'dialplane', 'profiles.json'),
    type: (...words: string[]) => runHere(['profiles', ...words], env),
  };
}

async function add(user: ReturnType<typeof newUser>, name: string, url = SERVER, key = KEY): Promise<void> {
  const { code, err } = await user.type('add', name, '--url', url, '--key', key);
  assert.equal(code, 0, err);
}

/** The lines that commands wrote to standard error since the list was last emptied. */
const said: string[] = [];

/** Returns the server and key that a command uses with these options and variables. */
function serverOf(user: ReturnType<typeof newUser>, options: Record<string, string>, env: Record<string, string> = {}) {
  said.length = 0;
  const before = { ...process.env };
  try {
    Object.assign(process.env, user.env, env);
    return findServer({ options, positionals: [], lists: {}, flags: new Set() }, { err: (text) => said.push(text) });
  } finally {
    process.env = before;
  }
}

test('a profile is kept in a file that only its user reads, and its key is never printed whole', async () => {
  const user = newUser();
  const added = await user.type('add', 'staging', '--url', `${SERVER}/v1/`, '--key', KEY);
  assert.equal(added.code, 0, added.err);
  assert.equal(statSync(user.file).mode & 0o777, 0o600);
  assert.equal(statSync(join(user.file, '..')).mode & 0o777, 0o700);
  assert.deepEqual(JSON.parse(readFileSync(user.file, 'utf8')).profiles, { staging: { url: SERVER, key: KEY } });
  for (const { out, err } of [added, await user.type('list'), await user.type('list', '--json')]) {
    assert.match(out, /svc_test_…WXYZ/);
    assert.ok(!(out + err).includes(KEY));
  }
});

test('the key of a profile can come from standard input', async () => {
  const user = newUser();
  const words = ['profiles', 'add', 'prod', '--url', SERVER, '--key', '-', '--json'];
  const { code, out, err } = await runCommand(words, user.env, { input: `${OTHER_KEY}\n` });
  assert.equal(code, 0, err);
  assert.deepEqual(JSON.parse(out), { name: 'prod', url: SERVER, key: 'svc_live_…1234', current: true });
});

test('the first profile is used by default, until another or none is chosen', async () => {
  const user = newUser();
  await add(user, 'one');
  await add(user, 'two', 'https://two.example', OTHER_KEY);
  assert.deepEqual(serverOf(user, {}), { url: SERVER, key: KEY });
  assert.equal((await user.type('use', 'two')).code, 0);
  assert.deepEqual(serverOf(user, {}), { url: 'https://two.example', key: OTHER_KEY });
  assert.equal((await user.type('use', 'none')).code, 0);
  assert.throws(() => serverOf(user, {}), CommandError);
  await user.type('use', 'two');
  assert.equal((await user.type('remove', 'two')).code, 0);
  assert.deepEqual(JSON.parse((await user.type('list', '--json')).out), [
    { name: 'one', url: SERVER, key: 'svc_test_…WXYZ', current: false },
  ]);
});

test('options come before the environment, that before the profile, that before the installation of the folder', async () => {
  const user = newUser();
  const data = mkdtempSync(join(tmpdir(), 'installed-'));
  const installed = { account_id: 'acct_1', test_key: 'of the folder', live_key: 'x', base_url: 'http://localhost:1' };
  writeFileSync(join(data, 'keys.json'), JSON.stringify(installed));
  const env = { DIALPLANE_DATA: data };
  assert.deepEqual(serverOf(user, {}, env), { url: 'http://localhost:1', key: 'of the folder' });
  await add(user, 'one');
  await add(user, 'two', 'https://two.example', OTHER_KEY);
  const [one, two] = [
    { url: SERVER, key: KEY },
    { url: 'https://two.example', key: OTHER_KEY },
  ];
  assert.deepEqual(serverOf(user, {}, env), one);
  assert.deepEqual(serverOf(user, {}, { ...env, DIALPLANE_PROFILE: 'two' }), two);
  assert.deepEqual(serverOf(user, { profile: 'none' }, env), { url: 'http://localhost:1', key: 'of the folder' });
  const environment = { ...env, DIALPLANE_PROFILE: 'two', DIALPLANE_URL: 'http://env', DIALPLANE_KEY: 'of env' };
  assert.deepEqual(serverOf(user, {}, environment), { url: 'http://env', key: 'of env' });
  assert.deepEqual(serverOf(user, { profile: 'one' }, environment), one);
  const options = { url: 'http://option/', key: 'of the option' };
  assert.deepEqual(serverOf(user, options, environment), { url: 'http://option', key: 'of the option' });
});

test('in the folder of an installation one line says that a profile leads to another server', async () => {
  const user = newUser();
  const data = mkdtempSync(join(tmpdir(), 'installed-'));
  const installed = { account_id: 'acct_1', test_key: 'of the folder', live_key: 'x', base_url: 'http://localhost:1' };
  writeFileSync(join(data, 'keys.json'), JSON.stringify(installed));
  const env = { DIALPLANE_DATA: data };
  await add(user, 'one');
  const line =
    'Commands use the profile one (https://phone.example), not http://localhost:1. ' +
    'For that server, use "--profile none", or "profiles use none" for all later commands.';
  assert.deepEqual(serverOf(user, {}, env), { url: SERVER, key: KEY });
  assert.deepEqual(said, [line]);
  serverOf(user, {}, { ...env, DIALPLANE_PROFILE: 'one' });
  assert.deepEqual(said, [line]);
  serverOf(user, {});
  assert.deepEqual(said, [], 'no installation is in the folder');
  serverOf(user, { profile: 'one' }, env);
  assert.deepEqual(said, [], 'the command names the profile');
  serverOf(user, {}, { ...env, DIALPLANE_URL: SERVER });
  assert.deepEqual(said, [], 'the environment names the server');
  await add(user, 'here', 'http://localhost:1', OTHER_KEY);
  await user.type('use', 'here');
  serverOf(user, {}, env);
  assert.deepEqual(said, [], 'the profile leads to the installation');
});

test('the key of a profile is not sent to another server', async () => {
  const user = newUser();
  await add(user, 'one');
  assert.throws(() => serverOf(user, { url: 'https://elsewhere.example' }), /no key for https:\/\/elsewhere\.example/);
  assert.throws(() => serverOf(user, {}, { DIALPLANE_URL: 'https://elsewhere.example' }), CommandError);
  assert.deepEqual(serverOf(user, { url: `${SERVER}/` }), { url: SERVER, key: KEY });
});

test('what is no profile is refused with the next step', async () => {
  const user = newUser();
  for (const [words, code, pattern] of [
    [['add', 'None!', '--url', SERVER, '--key', KEY], 2, /NAME has 1 to 63/],
    [['add', 'none', '--url', SERVER, '--key', KEY], 2, /is not none/],
    [['add', 'one', '--url', 'phone.example', '--key', KEY], 2, /--url takes the address/],
    [['add', 'one', '--url', SERVER, '--key', 'secret'], 2, /--key takes an API key/],
    [['use', 'one'], 1, /There is no profile one; "node bin\/dialplane\.mjs profiles list"/],
    [['remove', 'toString'], 1, /There is no profile toString/],
  ] as const) {
    const outcome = await user.type(...words);
    assert.equal(outcome.code, code, words.join(' '));
    assert.match(outcome.err, pattern);
    assert.doesNotMatch(outcome.err, /secret|svc_test_a/);
  }
  await add(user, 'one');
  writeFileSync(user.file, '{"current": 1}');
  const damaged = await user.type('list');
  assert.equal(damaged.code, 1);
  assert.match(damaged.err, /profiles\.json is damaged/);
});
