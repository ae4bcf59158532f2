/** The files of deploy/asterisk: what a machine without root and Docker can check of them. */
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

test('systemd accepts the units', { skip: missing('systemd-analyze') }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'units-'));
  for (const name of UNITS) {
    const text = (await read(name)).replaceAll('@ROOT@', '/').replaceAll('/usr/local/lib/dialplane-asterisk/', FOLDER);
    await writeFile(join(folder, name), text);
  }
  const verified = run('systemd-analyze', ['verify', ...UNITS.map((name) => join(folder, name))]);
  const { stderr } = await verified.catch((error: { stderr: string }) => error);
  const about = stderr.split('\n').filter((line) => line.includes('dialplane-asterisk'));
  // Machines without these programs say so.
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

test('Kamailio asks its lists for the groups that they have', async () => {
  const configuration = await read('kamailio.cfg');
  const groupsOf = async (name: string) =>
    new Set((await read(name)).split('\n').flatMap((line) => /^(\d+) /.exec(line)?.[1] ?? []));
  const asked = (pattern: RegExp) => new Set([...configuration.matchAll(pattern)].map(([, group]) => group));
  assert.deepEqual(await groupsOf('dispatcher.list'), asked(/ds_select_(?:dst|domain)\("(\d)"/g));
  assert.deepEqual(await groupsOf('addresses.list'), asked(/allow_source_address\("(\d)"\)/g));
});
