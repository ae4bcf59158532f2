/** Checks the files of deploy/asterisk, as far as a machine without root and Docker can. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { missing } from '../support/programs.ts';

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL('../../deploy/asterisk/', import.meta.url));
const read = (name: string) => readFile(join(FOLDER, name), 'utf8');
const SCRIPTS = ['install.sh', 'load.sh', 'empty-media-cache.sh', 'start-container.sh'];
const UNITS = ['dialplane-asterisk.service', 'dialplane-asterisk-cache.service', 'dialplane-asterisk-cache.timer'];

for (const name of SCRIPTS) {
  test(`${name} is a script that a shell reads`, async () => {
    assert.match(await read(name), /^#!\/bin\/sh\n/);
    await run('sh', ['-n', join(FOLDER, name)]);
  });
}

test('install.sh installs each unit and each script that units start', async () => {
  const install = await read('install.sh');
  for (const name of [...UNITS, 'load.sh', 'empty-media-cache.sh']) assert.ok(install.includes(name), name);
});

test('install.sh takes versions that have what setup writes, and no others', { skip: missing('dpkg') }, async () => {
  const [isNewEnough = assert.fail('there is no rule')] =
    /^is_new_enough\(\) \{[\s\S]*?^\}/m.exec(await read('install.sh')) ?? [];
  const versions = [
    '0',
    '20.11.1',
    '22.5.1',
    '22.8.2~dfsg-1',
    '22.9.0',
    '22.10.1~dfsg+~cs6-1',
    '23.2.1',
    '23.3.0-1',
    '24.0.0',
  ];
  const { stdout } = await run('sh', [
    '-c',
    `${isNewEnough}\nfor version; do if is_new_enough "$version"; then echo "$version"; fi; done`,
    'sh',
    ...versions,
  ]);
  assert.deepEqual(stdout.trim().split('\n'), ['22.9.0', '22.10.1~dfsg+~cs6-1', '23.3.0-1', '24.0.0']);
});

test('a restart and a stop wait for a moment without a call, and refuse no call until then', async () => {
  const waits = [...'load.sh dialplane-asterisk.service'.split(' ')].map(async (name) => {
    const [, command] = /asterisk -rx "(core (?:restart|stop) .*?)"/.exec(await read(name)) ?? [];
    return command;
  });
  assert.deepEqual(await Promise.all(waits), ['core restart when convenient', 'core stop when convenient']);
});

test('systemd accepts the units', { skip: missing('systemd-analyze') }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'units-'));
  for (const name of UNITS) {
    const text = (await read(name)).replaceAll('@ROOT@', '/').replaceAll('/usr/local/lib/dialplane-asterisk/', FOLDER);
    await writeFile(join(folder, name), text);
  }
  const verified = run('systemd-analyze', ['verify', ...UNITS.map((name) => join(folder, name))]);
  const { stderr } = await verified.catch((error: { stderr: string }) => error);
  const about = stderr.split('\n').filter((line) => line.includes('dialplane-asterisk'));
  // On machines without these programs systemd reports that.
  assert.deepEqual(
    about.filter((line) => !/is not executable|not-found/.test(line)),
    [],
  );
});

test('the image has what its start needs', async () => {
  const dockerfile = await read('Dockerfile');
  const [, sources = ''] = /^COPY (.+) \S+$/m.exec(dockerfile) ?? [];
  for (const name of sources.split(' ')) assert.ok(existsSync(join(FOLDER, name)), name);
  const { services } = parse(await read('compose.yml'));
  assert.deepEqual(Object.keys(services), ['asterisk']);
  assert.equal(services.asterisk.network_mode, 'host');
  assert.match(await read('start-container.sh'), /\/config\/\*\.conf/);
  assert.ok(services.asterisk.volumes.some((volume: string) => volume.endsWith(':/config:ro')));
});

test('Kamailio gives a call to the next engine if the engine fails, and not if nobody has answered the call', async () => {
  const [, ofEngines = ''] = /failure_route\[ENGINE\] \{([\s\S]*?)\n\}/.exec(await read('kamailio.cfg')) ?? [];
  const [, pattern = ''] = /t_check_status\("(.+?)"\)/.exec(ofEngines) ?? [];
  const isNext = (status: number) => new RegExp(`^(${pattern})$`).test(String(status));
  assert.deepEqual([404, 408, 480, 486, 500, 503, 603].filter(isNext), [500, 503]);
});

test('Kamailio asks its lists for the groups that they have', async () => {
  const configuration = await read('kamailio.cfg');
  const groupsOf = async (name: string) =>
    new Set((await read(name)).split('\n').flatMap((line) => /^(\d+) /.exec(line)?.[1] ?? []));
  const asked = (pattern: RegExp) => new Set([...configuration.matchAll(pattern)].map(([, group]) => group));
  assert.deepEqual(await groupsOf('dispatcher.list'), asked(/ds_select_(?:dst|domain)\("(\d)"/g));
  assert.deepEqual(await groupsOf('addresses.list'), asked(/allow_source_address\("(\d)"\)/g));
});
