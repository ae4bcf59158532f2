import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { createCaller } from '../../test/support/caller.ts';
import { runCommand, startCli } from '../../test/support/cli-process.ts';
import { cloneDatabase } from '../../test/support/database.ts';
import { TEST_SECRET } from '../../test/support/harness.ts';
import { makeScratch } from '../../test/support/scratch.ts';
import { findProgram } from './program.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const scratch = makeScratch('program');
after(() => scratch.remove());

/** Makes a checkout of a small program. With `packages` it has the packages of this checkout. */
function makeCheckout(name: string, { packages = true } = {}): string {
  const root = join(scratch.path, name);
  const sources = {
    'src/main.ts': `import { place } from './lib/place.ts';
import { quoted } from './lib/quotes.ts';
console.log(place, process.argv[2] as string, quoted('“😀'));\n`,
    'src/lib/quotes.ts': 'export const quoted = (text: string) => /^[“”]/.test(text) && text.concat(`…`);\n',
    'src/lib/place.ts': "export const place: string = new URL('../note.txt', import.meta.url).pathname;\n",
    'src/http/site/render-thread.ts': 'export {};\n',
    'src/audio/files/convert-thread.ts': 'export {};\n',
    'src/speech/shipped/speak-thread.ts': 'export {};\n',
    'node_modules/.package-lock.json': packages ? '{ "packages": { "node_modules/esbuild": {} } }' : '{}',
    'package.json': '{ "type": "module" }',
  };
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  mkdirSync(join(root, 'scripts/bootstrap'), { recursive: true });
  for (const name of ['program.mjs', 'installed.mjs'])
    cpSync(join(ROOT, 'scripts/bootstrap', name), join(root, 'scripts/bootstrap', name));
  const linked = packages ? ['esbuild', '@esbuild'] : [];
  for (const name of linked) symlinkSync(join(ROOT, 'node_modules', name), join(root, 'node_modules', name));
  return root;
}

test('the build of a program runs as its source does, and its modules find files beside their sources', async () => {
  const root = makeCheckout('built');
  const main = await findProgram(root);
  assert.match(main, /node_modules.\.cache.dialplane.program/);
  const expected = `${join(root, 'src/note.txt')} word “😀…\n`;
  assert.equal((await runCommand(['word'], {}, { main })).out, expected);
  assert.equal((await runCommand(['word'], {}, { main: join(root, 'src/main.ts') })).out, expected);
});

test('what stays in memory of a build is in ASCII: Node holds it with one byte for each character', async () => {
  const folder = dirname(await findProgram(ROOT));
  // Leaves out the modules of threads: they have raw texts, and leave the memory with their thread.
  const files = readdirSync(folder).filter((name) => name.endsWith('.js') && !name.endsWith('-thread.js'));
  assert.ok(files.length > 20, folder);
  const wide = files.filter((name) => readFileSync(join(folder, name)).some((byte) => byte > 127));
  assert.deepEqual(wide, []);
});

test('a build is used again until a file of the source changes', async () => {
  const root = makeCheckout('changed');
  const first = await findProgram(root);
  assert.equal(await findProgram(root), first);
  writeFileSync(join(root, 'src/lib/place.ts'), "export const place: string = 'elsewhere';\n");
  const second = await findProgram(root);
  assert.notEqual(second, first);
  assert.equal((await runCommand(['word'], {}, { main: second })).out, 'elsewhere word “😀…\n');
  // The process of the first build may still load parts of it.
  assert.ok(existsSync(first));
  utimesSync(join(root, 'src/main.ts'), 0, 0);
  assert.notEqual(await findProgram(root), second);
});

test('starts at the same time make one build', async () => {
  const root = makeCheckout('concurrent');
  const mains = await Promise.all(Array.from({ length: 4 }, () => findProgram(root)));
  assert.equal(new Set(mains).size, 1);
  assert.deepEqual(readdirSync(dirname(dirname(mains[0] as string))).length, 1);
});

test('the source itself runs where it cannot be built, and old builds are removed', async () => {
  const without = makeCheckout('without', { packages: false });
  assert.equal(await findProgram(without), join(without, 'src/main.ts'));
  const root = makeCheckout('old');
  for (let build = 0; build < 5; build++) {
    writeFileSync(join(root, 'src/lib/place.ts'), `export const place: string = '${build}'.repeat(${build});\n`);
    await findProgram(root);
  }
  assert.equal(readdirSync(join(root, 'node_modules/.cache/dialplane/program')).length, 3);
  writeFileSync(join(root, 'src/main.ts'), 'const = 3;\n');
  assert.equal(await findProgram(root), join(root, 'src/main.ts'));
});

test('the source runs while the packages of development are installed, and after a killed install of them', async () => {
  const root = makeCheckout('installing', { packages: false });
  mkdirSync(join(root, 'node_modules/esbuild'));
  writeFileSync(join(root, 'node_modules/esbuild/package.json'), '{ "main": "main.js" }');
  writeFileSync(join(root, 'node_modules/esbuild/main.js'), 'module.exports = { bui');
  assert.equal(await findProgram(root), join(root, 'src/main.ts'));
});

/** Ends the process in the middle of the first removal of a folder. */
const KILLED_REMOVAL = `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { rmSync } = fs;
fs.rmSync = (folder) => {
  rmSync(folder + '/main.js');
  process.kill(process.pid, 'SIGKILL');
};
syncBuiltinESMExports();`;

test('a removal of old builds that is killed leaves none of them incomplete', async () => {
  const root = makeCheckout('killed');
  const folder = join(root, 'node_modules/.cache/dialplane/program');
  const change = (build: number) =>
    writeFileSync(join(root, 'src/lib/place.ts'), `export const place: string = '${build}'.repeat(${build});\n`);
  for (let build = 0; build < 3; build++) {
    change(build);
    await findProgram(root);
  }
  change(3);
  const preload = `data:text/javascript,${encodeURIComponent(KILLED_REMOVAL)}`;
  const program = join(root, 'scripts/bootstrap/program.mjs');
  const { signal } = spawnSync(process.execPath, ['--import', preload, program]);
  assert.equal(signal, 'SIGKILL');
  const builds = readdirSync(folder).filter((name) => !name.includes('.'));
  assert.deepEqual(
    builds.filter((name) => !existsSync(join(folder, name, 'main.js'))),
    [],
  );
  assert.equal(builds.length, 3);
});

test('the source runs where a build is incomplete', async () => {
  const root = makeCheckout('incomplete');
  const main = await findProgram(root);
  rmSync(main);
  assert.equal(await findProgram(root), join(root, 'src/main.ts'));
});

test('links of an editor that lead nowhere are no part of the program', async () => {
  const root = makeCheckout('edited');
  const main = await findProgram(root);
  symlinkSync('editor@machine.1', join(root, 'src/.#main.ts'));
  assert.equal(await findProgram(root), main);
});

test('the build of this checkout answers requests, and renders pages, converts audio and speaks in its threads', async () => {
  const main = await findProgram(ROOT);
  assert.ok(main.endsWith('main.js'), main);
  const database = await cloneDatabase();
  const env = { DATABASE_URL: database.url, DIALPLANE_SECRET: TEST_SECRET.padEnd(32) };
  const program = startCli(env, [], main);
  try {
    const url = await program.ready();
    const created = await runCommand(['accounts', 'create', 'Clinic', '--json'], env, { main });
    const findings = await runCommand(['doctor'], { ...env, PATH: '' }, { main });
    assert.match(findings.out, /^ok +speech +spoken in English by the included voice$/m);
    const call = createCaller(url, JSON.parse(created.out).test_key);
    assert.equal((await call('POST', '/v1/tenants', { body: { name: 'Desert Paws Clinic' } })).status, 201);
    const document = await (await fetch(`${url}/v1/openapi.json`)).json();
    const committed = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'));
    assert.deepEqual({ ...(document as object), servers: committed.servers }, committed);
    const paths = ['/docs', '/docs/webhooks', '/docs/api', '/docs/search.json', '/softphone.js'];
    const assets = ['site.css', 'site.js', 'minisearch.js', 'scalar.js'].map((name) => `/docs/assets/${name}`);
    for (const path of [...paths, ...assets]) assert.equal((await fetch(url + path)).status, 200, path);
  } finally {
    await program.ended('SIGTERM');
    await database.drop();
  }
  const file = Uint8Array.from(readFileSync(join(ROOT, 'test/support/tone.mp3')));
  const thread = pathToFileURL(join(dirname(main), 'convert-thread.js'));
  const worker = new Worker(thread, { workerData: { to: 'telephone', file } });
  assert.ok('audio' in (await once(worker, 'message'))[0]);
  await worker.terminate();
});
