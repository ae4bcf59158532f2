import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DataFolderInUseError, openDataFolder, readKeys, readOrMakeSecret, writeKeys } from './data-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'dialplane-folder-'));
after(() => rmSync(root, { recursive: true, force: true }));

let folders = 0;
function newFolder(): string {
  folders += 1;
  return join(root, `${folders}`);
}

const mode = (path: string) => statSync(path).mode & 0o777;

async function holdElsewhere(folder: string): Promise<ChildProcess> {
  const program = `
    import { openDataFolder } from ${JSON.stringify(new URL('./data-folder.ts', import.meta.url).href)};
    await openDataFolder(${JSON.stringify(folder)});
    console.log('held');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

test('a folder that is in use refuses a second process, naming the first', async () => {
  const folder = newFolder();
  const holder = await holdElsewhere(folder);
  await assert.rejects(openDataFolder(folder, { waitMs: 0 }), (error) => {
    assert.ok(error instanceof DataFolderInUseError);
    assert.match(error.message, new RegExp(`process ${holder.pid}\\b`));
    return true;
  });
  holder.kill('SIGKILL');
  await once(holder, 'exit');
});

test('a folder whose process was killed opens at once, even if its pid is still written down', async () => {
  const folder = newFolder();
  const holder = await holdElsewhere(folder);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  // Another program runs with this pid. The lock must not depend on the pid.
  writeFileSync(join(folder, 'pid'), '1\n');
  const opened = await openDataFolder(folder, { waitMs: 0 });
  opened.release();
});

test('a holder that is just ending is waited for', async () => {
  const folder = newFolder();
  const holder = await holdElsewhere(folder);
  const opening = openDataFolder(folder, { waitMs: 20_000 });
  holder.kill('SIGKILL');
  (await opening).release();
});

test('within one process, too, a folder is held once and can be released', async () => {
  const folder = newFolder();
  const first = await openDataFolder(folder, { waitMs: 0 });
  await assert.rejects(openDataFolder(folder, { waitMs: 0 }), DataFolderInUseError);
  first.release();
  (await openDataFolder(folder, { waitMs: 0 })).release();
});

test('nobody else can enter the folder, even one that was open before', async () => {
  const folder = newFolder();
  mkdirSync(folder, { mode: 0o755 });
  (await openDataFolder(folder)).release();
  assert.equal(mode(folder), 0o700);
});

test('the secret is made once, only its owner reads it, and it stays the same', () => {
  const folder = newFolder();
  mkdirSync(folder);
  const secret = readOrMakeSecret(folder);
  assert.match(secret, /^[0-9a-f]{64}$/);
  assert.equal(readOrMakeSecret(folder), secret);
  assert.equal(mode(join(folder, 'secret')), 0o600);
});

test('a damaged secret is reported, never replaced', () => {
  const folder = newFolder();
  mkdirSync(folder);
  writeFileSync(join(folder, 'secret'), 'abc\n');
  assert.throws(() => readOrMakeSecret(folder), /secret does not hold/);
});

test('keys are read as they were written, and only their owner reads them', () => {
  const folder = newFolder();
  mkdirSync(folder);
  assert.equal(readKeys(folder), undefined);
  const keys = {
    account_id: 'acc_1',
    test_key: 'svc_test_1',
    live_key: 'svc_live_1',
    base_url: 'http://localhost:8080',
  };
  writeKeys(folder, keys);
  assert.deepEqual(readKeys(folder), keys);
  assert.equal(mode(join(folder, 'keys.json')), 0o600);
  assert.deepEqual(readdirSync(folder), ['keys.json']);
});

test('a keys file that lacks a field is reported', () => {
  const folder = newFolder();
  mkdirSync(folder);
  writeFileSync(join(folder, 'keys.json'), '{"account_id":"acc_1"}');
  assert.throws(() => readKeys(folder), /keys\.json lacks/);
});
