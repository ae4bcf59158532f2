import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FOLLOW_PARENT, runHere } from '../../../test/support/cli-process.ts';
import { cloneDatabase } from '../../../test/support/database.ts';
import { TEST_SECRET } from '../../../test/support/harness.ts';
import { until } from '../../../test/support/jobs.ts';
import { makeScratch } from '../../../test/support/scratch.ts';

const scratch = makeScratch('cli');
const folder = scratch.path;
let env: Record<string, string>;
const children: ChildProcess[] = [];

before(() => {
  env = {
    DIALPLANE_DATA: join(folder, 'install'),
    DIALPLANE_METRICS_PORT: 'off',
    DIALPLANE_LAME_DUCK_SECONDS: '0',
    PORT: '0',
    LOG_LEVEL: 'info',
    PATH: process.env['PATH'] ?? '',
  };
});

after(() => {
  for (const child of children) child.kill('SIGKILL');
  scratch.remove();
});

function run(words: readonly string[], more: Record<string, string> = {}): ChildProcess {
  const main = fileURLToPath(new URL('../../main.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', FOLLOW_PARENT, main, ...words], {
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  children.push(child);
  return child;
}

/** Runs another command on the install in this process, which is much faster. */
const outcome = (...words: string[]) => runHere(words, { DATABASE_URL: '', DIALPLANE_SECRET: '', ...env });

async function start(...words: string[]) {
  const child = run(['start', ...words]);
  if (child.stdout === null || child.stderr === null) throw new Error('no output');
  const lines: string[] = [];
  const notices: string[] = [];
  createInterface(child.stderr).on('line', (line) => notices.push(line));
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (line.includes('"msg":"ready"')) break;
  }
  return { child, lines, notices };
}

test('an embedded install can be operated before, while and after its server runs', async () => {
  const early = await outcome('accounts', 'list', '--json');
  assert.equal(early.code, 1, 'nothing is installed yet, and asking must not install it');

  const first = await start();
  assert.ok(!existsSync(join(folder, 'install', 'location')), 'tests leave no cluster in a folder of the system');
  for (const line of first.lines) assert.equal(JSON.parse(line).version, '0.1.0', 'standard output is the log');
  // The program prints this line last. Lines of standard error have no fixed order with those of standard output.
  const command = /^To sign in to the console, print a link: node bin\/dialplane\.mjs console$/m;
  await until('the command is printed', () => command.test(first.notices.join('\n')));
  assert.doesNotMatch(first.notices.join('\n'), /sign-in#/, 'a link goes to a terminal only');
  assert.match(first.notices.join('\n'), /svc_test_/);
  assert.doesNotMatch(first.notices.join('\n'), /svc_live_/, 'a live key is printed to a terminal only');
  assert.ok(!first.lines.some((line) => line.includes('sign-in')), 'the log has no link');
  const while1 = await outcome('accounts', 'list', '--json');
  assert.equal(JSON.parse(while1.out).length, 1);
  first.child.kill('SIGTERM');
  assert.deepEqual(await once(first.child, 'exit'), [0, null]);

  const made = await outcome('accounts', 'create', 'Second', '--json');
  assert.equal(made.code, 0);

  const profiles = { current: 'staging', profiles: { staging: { url: 'https://phone.example', key: 'x' } } };
  mkdirSync(join(folder, 'home/dialplane'), { recursive: true });
  writeFileSync(join(folder, 'home/dialplane/profiles.json'), JSON.stringify(profiles));
  env['XDG_CONFIG_HOME'] = join(folder, 'home');
  const second = await start('--json');
  const detour = /^Commands use the profile staging \(https:\/\/phone\.example\), not http:\/\/localhost:\d+\./m;
  await until('it says where commands go', () => detour.test(second.notices.join('\n')));
  const { url, ...told } = JSON.parse(second.lines.find((line) => line.includes('"event":"ready"')) ?? '{}');
  assert.deepEqual(Object.keys(told), ['event', 'account_id', 'keys_file'], 'keys are shown once');
  const { test_key } = JSON.parse(made.out);
  const reply = await fetch(`${url}/v1/tenants`, { headers: { authorization: `Bearer ${test_key}` } });
  assert.equal(reply.status, 200);
  const link = await outcome('console', '--json');
  assert.ok(JSON.parse(link.out).url.startsWith(`${url}/console/sign-in#`), 'it finds the port of the running server');
  const doctor = await outcome('doctor', '--json');
  assert.equal(doctor.code, 0, doctor.out);
  second.child.kill('SIGINT');
  assert.deepEqual(await once(second.child, 'exit'), [0, null]);
});

test('a first start with --json prints the test key once, and the path of the file with all keys', async () => {
  const more = { DIALPLANE_DATA: join(folder, 'machine'), LOG_LEVEL: 'silent' };
  const child = run(['start', '--json'], more);
  const [line] = (await once(createInterface(child.stdout as NonNullable<typeof child.stdout>), 'line')) as [string];
  const { event, url, account_id, test_key, keys_file, ...rest } = JSON.parse(line);
  assert.equal(event, 'ready');
  assert.deepEqual(rest, {}, 'a live key and a sign-in link are printed to a terminal only');
  const kept = JSON.parse(readFileSync(keys_file, 'utf8'));
  assert.deepEqual([kept.account_id, kept.test_key], [account_id, test_key]);
  const reply = await fetch(`${url}/v1/tenants`, { headers: { authorization: `Bearer ${test_key}` } });
  assert.equal(reply.status, 200);
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test("a start on a database of one's own tells how to make the first account, for as long as there is none", async () => {
  const database = await cloneDatabase();
  const own = { DATABASE_URL: database.url, DIALPLANE_SECRET: TEST_SECRET };
  const noticesOf = async () => {
    const child = run(['start'], own);
    let text = '';
    child.stderr?.on('data', (chunk) => {
      text += chunk;
    });
    for await (const line of createInterface(child.stdout as NonNullable<typeof child.stdout>)) {
      if (line.includes('"msg":"ready"')) break;
    }
    child.kill('SIGTERM');
    await once(child, 'close');
    return text;
  };
  try {
    const [hint = ''] = /node bin\/dialplane\.mjs accounts create NAME/.exec(await noticesOf()) ?? [];
    const [, , ...words] = hint.replace('NAME', 'Acme').split(' ');
    const made = run(words, own);
    assert.deepEqual(await once(made, 'exit'), [0, null], 'what the hint says works');
    const notices = await noticesOf();
    assert.doesNotMatch(notices, /accounts create/);
    assert.match(notices, /print a link: node bin\/dialplane\.mjs console$/m);
    assert.doesNotMatch(notices, /sign-in/, 'a link reaches no log of an install that others read');
  } finally {
    await database.drop();
  }
});
