/** The real Vite builds a small project in the background. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { until as untilWithin } from '../../../test/support/jobs.ts';
import { makeScratch } from '../../../test/support/scratch.ts';
import { today } from '../../lib/time/time.ts';
import { isRunning } from '../embedded-postgres/process-identity.ts';
import { createConsoleBuilder } from './console-builder.ts';

const scratch = makeScratch('console-build');
after(() => scratch.remove());
const VITE = fileURLToPath(new URL('../../../node_modules/vite', import.meta.url));

const BOOTSTRAP = fileURLToPath(new URL('../../../scripts/bootstrap', import.meta.url));
const LOCK = JSON.stringify({ packages: { 'node_modules/vite': { version: '1.0.0', dev: true } } });
const RECORD = 'node_modules/.package-lock.json';

type CheckoutOptions = { vite?: string | null; isRecorded?: boolean; script?: string };

/** Makes a checkout with a console of one script. `isRecorded`: the checkout has npm's record of a complete install. */
function makeCheckout(
  name: string,
  { vite = VITE, isRecorded = vite !== null, script = 'document.title = "first"' }: CheckoutOptions = {},
): string {
  const root = join(scratch.path, name);
  const app = join(root, 'packages/console');
  mkdirSync(app, { recursive: true });
  mkdirSync(join(root, 'node_modules'));
  mkdirSync(join(root, 'scripts/bootstrap'), { recursive: true });
  cpSync(join(BOOTSTRAP, 'installed.mjs'), join(root, 'scripts/bootstrap/installed.mjs'));
  if (vite !== null) symlinkSync(vite, join(root, 'node_modules/vite'));
  writeFileSync(join(root, 'package-lock.json'), LOCK);
  if (isRecorded) writeFileSync(join(root, RECORD), LOCK);
  writeFileSync(join(app, 'package.json'), '{"type":"module"}');
  writeFileSync(join(app, 'vite.config.ts'), "export default { base: '../' };");
  writeFileSync(join(app, 'index.html'), '<script type="module" src="/main.js"></script>');
  writeFileSync(join(app, 'main.js'), script);
  return root;
}

/** Starts a build. Returns the builder and its log lines so far. */
function start(root: string, { installs = false } = {}) {
  const lines: { level: number; msg: string; reason?: string }[] = [];
  const log = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
  const builder = createConsoleBuilder(log, { builds: true, installs, root });
  builder.start();
  return { builder, lines, said: () => lines.map(({ msg }) => msg) };
}

/** The time limit is long: a build has the lowest priority, so it may be slow on a busy machine. */
const until = (what: string, holds: () => boolean) => untilWithin(what, holds, 120_000);

const BUILT = ['building the console in the background', 'the console is built'];
const script = (root: string) => {
  const folder = join(root, 'packages/console/dist/assets');
  return readFileSync(join(folder, readdirSync(folder)[0] as string), 'utf8');
};

test('a console is built when it is missing, and again when its sources change, whatever their dates', async () => {
  const root = makeCheckout('changing');
  const first = start(root);
  assert.equal(first.builder.missing().isBuilding, true);
  await until('it is built', () => first.lines.length === 2);
  assert.deepEqual(first.said(), BUILT);
  assert.match(script(root), /first/);
  assert.deepEqual(readdirSync(join(root, 'node_modules/.cache')), []);

  const main = join(root, 'packages/console/main.js');
  utimesSync(main, today(), today());
  const same = start(root);
  await same.builder.stop();
  assert.deepEqual(same.said(), []);

  writeFileSync(main, 'document.title = "second"');
  utimesSync(main, new Date(0), new Date(0));
  const changed = start(root);
  await until('it is built again', () => changed.lines.length === 2);
  assert.match(script(root), /second/);
});

test('a build that fails leaves the earlier one, and says in one line what to do', async () => {
  const root = makeCheckout('broken');
  const earlier = start(root);
  await until('it is built', () => earlier.lines.length === 2);
  writeFileSync(join(root, 'packages/console/main.js'), 'this is no script');
  const { builder, lines } = start(root);
  await until('it has failed', () => lines.length === 2);
  const [, { level = 0, msg = '', reason = '' } = {}] = lines;
  assert.equal(level, 40);
  assert.equal(msg, 'the console could not be built; run "npm run build" in the checkout');
  assert.match(reason, /main\.js/);
  assert.equal(builder.missing().isBuilding, false);
  assert.match(script(root), /first/);
});

test('without the packages that it is built with, it says so', async () => {
  const { lines } = start(makeCheckout('bare', { vite: join(scratch.path, 'nothing') }));
  await until('it has failed', () => lines.length === 2);
  assert.equal(lines[1]?.reason, 'the packages that it is built with are not installed');
});

/** Gives a checkout an installer. It runs `program` instead of npm. */
function giveInstaller(root: string, program: string): void {
  writeFileSync(join(root, 'scripts/bootstrap/install.mjs'), program);
}

/** The program of an installer that links Vite and then writes npm's record. */
function linkVite(root: string): string {
  return `import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
rmSync('node_modules/vite', { recursive: true, force: true });
symlinkSync(${JSON.stringify(VITE)}, ${JSON.stringify(join(root, 'node_modules/vite'))});
writeFileSync(${JSON.stringify(RECORD)}, ${JSON.stringify(LOCK)});`;
}

test('a first start adds the packages that it is built with, and builds it', async () => {
  const root = makeCheckout('first', { vite: null });
  giveInstaller(root, linkVite(root));
  const { builder, lines, said } = start(root, { installs: true });
  assert.equal(builder.missing().isBuilding, true);
  await until('it is built', () => lines.length === 3);
  assert.deepEqual(said(), ['installing the packages that build the console, in the background', ...BUILT]);
  assert.match(script(root), /first/);
});

test('packages of an install that was killed are added by the next start, also if Vite is among them', async () => {
  const root = makeCheckout('killed', { isRecorded: false });
  giveInstaller(root, linkVite(root));
  const { lines, said } = start(root, { installs: true });
  await until('it is built', () => lines.length === 3);
  assert.deepEqual(said(), ['installing the packages that build the console, in the background', ...BUILT]);
});

/** Makes a checkout with a Vite that cannot be loaded. npm's record says that it is installed. */
function makeDamagedCheckout(name: string): string {
  const root = makeCheckout(name, { vite: null, isRecorded: true });
  mkdirSync(join(root, 'node_modules/vite/bin'), { recursive: true });
  writeFileSync(join(root, 'node_modules/vite/package.json'), '{"type":"module"}');
  writeFileSync(join(root, 'node_modules/vite/bin/vite.js'), 'import { build } fr');
  return root;
}

test('a build that fails is tried once more after damaged packages were replaced', async () => {
  const root = makeDamagedCheckout('damaged');
  giveInstaller(root, `if (process.argv[2] !== '--repair') process.exit(1);\n${linkVite(root)}`);
  const { lines, said } = start(root, { installs: true });
  await until('it is built', () => lines.length === 2);
  assert.deepEqual(said(), BUILT);
  assert.match(script(root), /first/);
});

test('a build that fails says why, and why no package was replaced', async () => {
  const root = makeDamagedCheckout('unrepaired');
  giveInstaller(root, `console.error('no package is damaged'); process.exitCode = 1;`);
  const { lines } = start(root, { installs: true });
  await until('it has failed', () => lines.length === 2);
  assert.match(lines[1]?.reason ?? '', /SyntaxError.*\nno package is damaged$/s);
});

/** The program of an installer that has a child. Both write their process ids to a file, and ignore SIGTERM. */
const STUBBORN = `import { spawn } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
process.on('SIGTERM', () => undefined);
const wait = 'process.on("SIGTERM", () => undefined); console.log(process.pid); setInterval(() => undefined, 1000);';
spawn(process.execPath, ['-e', wait], { stdio: ['ignore', 'pipe', 'inherit'] }).stdout.on('data', (text) => {
  writeFileSync('pids.new', process.pid + ' ' + text);
  renameSync('pids.new', 'pids');
});`;

/** The program of a server that installs the packages of the build. */
const SERVER = `import { pino } from ${JSON.stringify(import.meta.resolve('pino'))};
import { createConsoleBuilder } from ${JSON.stringify(import.meta.resolve('./console-builder.ts'))};
createConsoleBuilder(pino({ level: 'silent' }), { builds: true, installs: true, root: process.argv[1] }).start();`;

const noAutogroups = existsSync('/proc/self/autogroup') ? false : 'the system does not schedule by sessions';

/**
 * Makes a checkout with STUBBORN as its installer. `areRunning` returns undefined until the process ids are written.
 */
function makeStubbornCheckout(name: string, installer = STUBBORN) {
  const root = makeCheckout(name, { vite: null });
  giveInstaller(root, installer);
  const file = join(root, 'pids');
  const pids = () => readFileSync(file, 'utf8').trim().split(' ').map(Number);
  return { root, pids, areRunning: () => (existsSync(file) ? pids().some(isRunning) : undefined) };
}

test('an install in the background ends with the server, and with it every program that it has started', async () => {
  const { root, areRunning } = makeStubbornCheckout('stubborn');
  const { builder } = start(root, { installs: true });
  await until('the installer runs', () => areRunning() === true);
  await builder.stop();
  await until('both have ended', () => areRunning() === false);
});

test('an install in the background ends with a server that is killed', async () => {
  const { root, areRunning } = makeStubbornCheckout('orphan');
  const server = spawn(process.execPath, ['--input-type=module', '-e', SERVER, root], { stdio: 'inherit' });
  await until('the installer runs', () => areRunning() === true);
  server.kill('SIGKILL');
  await until('both have ended', () => areRunning() === false);
});

/**
 * The program of an installer with a child. It writes output after the end of its server, before it knows of that end.
 */
const TALKATIVE = `${STUBBORN}
import { existsSync } from 'node:fs';
const server = process.ppid;
setInterval(() => {
  if (!existsSync('pids')) return;
  while (process.ppid === server);
  process.stderr.write('installing');
}, 10);`;

test('an install that fails because its server was killed ends with every program that it has started', async () => {
  const { root, areRunning } = makeStubbornCheckout('talkative', TALKATIVE);
  const server = spawn(process.execPath, ['--input-type=module', '-e', SERVER, root], { stdio: 'inherit' });
  await until('the installer runs', () => areRunning() === true);
  server.kill('SIGKILL');
  await until('both have ended', () => areRunning() === false);
});

test('everything else on the machine comes before an install in the background', { skip: noAutogroups }, async () => {
  const { root, pids, areRunning } = makeStubbornCheckout('last');
  const { builder } = start(root, { installs: true });
  await until('the installer runs', () => areRunning() === true);
  for (const pid of pids()) {
    assert.equal(getPriority(pid), Math.min(19, getPriority() + 19));
    assert.match(readFileSync(`/proc/${pid}/autogroup`, 'utf8'), /nice 10$/m);
  }
  await builder.stop();
});

test('packages that cannot be added are said with the reason', async () => {
  const root = makeCheckout('offline', { vite: null });
  giveInstaller(root, `console.error('npm was not found'); process.exitCode = 1;`);
  const { builder, lines } = start(root, { installs: true });
  await until('it has failed', () => lines.length === 2);
  assert.equal(lines[1]?.reason, 'npm was not found');
  assert.equal(builder.missing().isBuilding, false);
});

test('a build ends with the server, and leaves nothing behind', async () => {
  const root = makeCheckout('stopped');
  const { builder, lines, said } = start(root);
  await until('it runs', () => existsSync(join(root, 'node_modules/.cache')));
  await builder.stop();
  assert.deepEqual(said(), BUILT.slice(0, 1), JSON.stringify(lines));
  assert.deepEqual(readdirSync(join(root, 'node_modules/.cache')), []);
  assert.ok(!existsSync(join(root, 'packages/console/dist')));
});
