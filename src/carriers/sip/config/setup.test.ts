import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSipSettings } from './settings.ts';
import { findOutdated, setUpSip } from './setup.ts';

function settingsFor(folder: string | undefined, trunks = '[]') {
  const settings = {
    engines: 'a=http://127.0.0.1:8088 b=http://127.0.0.1:8089',
    dialplane_url: 'http://127.0.0.1:3000',
  };
  return readSipSettings({
    settings: { ...settings, trunks, ...(folder !== undefined && { config_folder: folder }) },
    credentials: { ari_password: 'a-long-password' },
  });
}

const makeFolder = () => mkdtemp(join(tmpdir(), 'engines-'));

test('a second run changes nothing', async () => {
  const settings = settingsFor(await makeFolder());
  const first = await setUpSip(settings);
  assert.ok(first.some((line) => line.endsWith('a/pjsip.conf: made')));
  assert.ok(first.some((line) => line.startsWith('Engine b: load the files')));
  const second = await setUpSip(settings);
  assert.deepEqual(
    second.filter((line) => !line.endsWith(': unchanged')),
    ['Engine a: nothing has changed.', 'Engine b: nothing has changed.'],
  );
});

test('only their owner can read the files, also files that existed before', async () => {
  const folder = await makeFolder();
  const path = join(folder, 'a', 'ari.conf');
  await setUpSip(settingsFor(folder));
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal((await stat(join(folder, 'a'))).mode & 0o777, 0o700);
  await chmod(path, 0o644);
  await setUpSip(settingsFor(folder));
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test('a file that was changed by hand is found and written again', async () => {
  const folder = await makeFolder();
  const settings = settingsFor(folder);
  const [engine] = settings.engines;
  assert.ok(engine);
  await setUpSip(settings);
  const path = join(folder, 'a', 'rtp.conf');
  const rendered = await readFile(path, 'utf8');
  await writeFile(path, '[general]\n');
  assert.deepEqual(await findOutdated(settings, engine, folder), ['rtp.conf']);
  assert.ok((await setUpSip(settings)).includes(`${path}: changed`));
  assert.equal(await readFile(path, 'utf8'), rendered);
  assert.deepEqual(await findOutdated(settings, engine, folder), []);
});

test('another trunk changes the files that name trunks', async () => {
  const folder = await makeFolder();
  await setUpSip(settingsFor(folder));
  const changed = await setUpSip(settingsFor(folder, '[{"name":"main","host":"203.0.113.9"}]'));
  assert.deepEqual(
    changed.filter((line) => line.endsWith(': changed')),
    ['a', 'b']
      .flatMap((engine) => ['pjsip.conf', 'extensions.conf', 'sip.nft'].map((name) => `${engine}/${name}`))
      .map((name) => `${join(folder, name)}: changed`),
  );
});

test('setup without a folder names the setting', async () => {
  await assert.rejects(setUpSip(settingsFor(undefined)), { message: /^config_folder: / });
});
