import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { until } from '../../test/support/until.ts';

const root = mkdtempSync(join(tmpdir(), 'dialplane-bootstrap-'));
after(() => rmSync(root, { recursive: true, force: true }));

const here = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);

let folders = 0;
function newFolder(): string {
  folders += 1;
  const folder = join(root, `${folders}`);
  mkdirSync(folder);
  return folder;
}

function run(program: string): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [chunk] = await once(child.stdout ?? child, 'data');
  return String(chunk).trim();
}

/** Starts a runner with a program. The program prints its pid and each signal that it gets. */
async function startRunner(): Promise<{ runner: ChildProcess; programPid: number }> {
  const entry = join(newFolder(), 'program.mjs');
  writeFileSync(
    entry,
    `process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000); console.log(process.pid);`,
  );
  const runner = run(
    `import { runUnder } from ${here('./run.mjs')}; await runUnder(process.execPath, ${JSON.stringify(entry)}, []);`,
  );
  return { runner, programPid: Number(await firstLine(runner)) };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
  const status = `/proc/${pid}/status`;
  return !existsSync(status) || !/^State:\s*Z/m.test(readFileSync(status, 'utf8'));
}

test('a signal to the runner reaches the program, and its exit code comes back', async () => {
  const { runner } = await startRunner();
  runner.kill('SIGTERM');
  assert.deepEqual(await once(runner, 'exit'), [7, null]);
});

test('a program that ends by a signal ends its runner by the same signal', async () => {
  const { runner, programPid } = await startRunner();
  process.kill(programPid, 'SIGKILL');
  assert.deepEqual(await once(runner, 'exit'), [null, 'SIGKILL']);
});

test('a runner that is killed leaves no program behind', async () => {
  const { runner, programPid } = await startRunner();
  runner.kill('SIGKILL');
  await once(runner, 'exit');
  await until('the program has ended', () => !isRunning(programPid));
});

function lockTaker(folder: string): ChildProcess {
  return run(`
    import { takeInstallLock } from ${here('./install-lock.mjs')};
    await takeInstallLock(${JSON.stringify(folder)}, () => console.log('waiting'));
    console.log('held');`);
}

test('a program that runs in the same process gives the compile cache to the programs that it starts', async () => {
  const entry = join(newFolder(), 'program.mjs');
  writeFileSync(entry, `console.log(process.env.NODE_COMPILE_CACHE ?? 'none');`);
  const program = run(`
    delete process.env.NODE_COMPILE_CACHE;
    const { runHere } = await import(${here('./run.mjs')});
    await runHere(${JSON.stringify(entry)}, []);`);
  assert.match(await firstLine(program), /node_modules.\.cache.dialplane$/);
});

test('a second install waits for the first, and continues when the first is killed', async () => {
  const folder = newFolder();
  const first = lockTaker(folder);
  assert.equal(await firstLine(first), 'held');
  const second = lockTaker(folder);
  assert.equal(await firstLine(second), 'waiting');
  first.kill('SIGKILL');
  assert.equal(await firstLine(second), 'held');
  second.kill('SIGKILL');
});

test('an npm that outlives its parent still holds the lock', async () => {
  const folder = newFolder();
  const npm = spawn('sleep', ['60']);
  mkdirSync(join(folder, '.install-lock'));
  const owner = { host: hostname(), pids: [2 ** 22 + 1, npm.pid] };
  writeFileSync(join(folder, '.install-lock', 'owner.json'), JSON.stringify(owner));
  const waiter = lockTaker(folder);
  assert.equal(await firstLine(waiter), 'waiting');
  npm.kill('SIGKILL');
  assert.equal(await firstLine(waiter), 'held');
  waiter.kill('SIGKILL');
  assert.deepEqual(readdirSync(folder), ['.install-lock']);
});

type Lock = { packages: Record<string, { version?: string; integrity?: string; dev?: boolean }> };

/** Returns whether a checkout with this lockfile and this record of npm counts as installed. */
async function isInstalled(wanted: Lock, present: Lock | undefined, { without = '', development = false } = {}) {
  const folder = newFolder();
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(wanted));
  mkdirSync(join(folder, 'node_modules'));
  for (const path of Object.keys(present?.packages ?? {}).filter((each) => each !== without)) {
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, 'package.json'), '{}');
  }
  if (present !== undefined) writeFileSync(join(folder, 'node_modules', '.package-lock.json'), JSON.stringify(present));
  const checker = run(
    `import { isInstalled } from ${here('./installed.mjs')}; console.log(isInstalled(${JSON.stringify(folder)}, ${development}));`,
  );
  return (await firstLine(checker)) === 'true';
}

const LOCK: Lock = { packages: { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' } } };

test('a checkout is installed if every package is there in the version of the lockfile', async () => {
  assert.equal(await isInstalled(LOCK, LOCK), true);
});

test('an install that is incomplete, of an older lockfile, or without one of its packages, runs again', async () => {
  const older: Lock = { packages: { 'node_modules/a': { version: '0.9.0', integrity: 'sha512-b' } } };
  assert.equal(await isInstalled(LOCK, undefined), false);
  assert.equal(await isInstalled(LOCK, older), false);
  assert.equal(await isInstalled(LOCK, LOCK, { without: 'node_modules/a' }), false);
});

test('development packages are needed for development only', async () => {
  const wanted: Lock = { packages: { ...LOCK.packages, 'node_modules/b': { version: '1.0.0', dev: true } } };
  assert.equal(await isInstalled(wanted, LOCK), true);
  assert.equal(await isInstalled(wanted, LOCK, { development: true }), false);
});

type InstallCase = { readonly development: boolean; readonly fails?: string };

/**
 * Installs in a folder. The npm of this install records its arguments and installs the package of development. With
 * `fails`, the first run of npm prints this text and fails. Returns the arguments of each run, and the result of
 * `install`.
 */
async function installWith(present: Lock, { development, fails }: InstallCase) {
  const wanted: Lock = { packages: { ...LOCK.packages, 'node_modules/b': { version: '1.0.0', dev: true } } };
  const folder = newFolder();
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(wanted));
  for (const path of Object.keys(wanted.packages)) {
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, 'package.json'), '{}');
  }
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify(present));
  const bin = newFolder();
  const record = `mkdirSync('node_modules/b', { recursive: true });
    writeFileSync('node_modules/b/package.json', '{}');
    writeFileSync('node_modules/.package-lock.json', ${JSON.stringify(JSON.stringify(wanted))});`;
  const npm = `import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
    appendFileSync('arguments', process.argv.slice(2).join(' ') + '\\n');
    const fails = ${JSON.stringify(fails)};
    if (fails !== undefined && readFileSync('arguments', 'utf8').split('\\n').length === 2) {
      console.error(fails);
      process.exit(1);
    }
    ${record}`;
  writeFileSync(join(bin, 'npm.mjs'), npm);
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\nexec "${process.execPath}" "${bin}/npm.mjs" "$@"\n`, { mode: 0o755 });
  const installer = run(`
    process.env.PATH = ${JSON.stringify(bin)} + ':' + process.env.PATH;
    const { install } = await import(${here('./install.mjs')});
    console.log((await install(${JSON.stringify(folder)}, ${development})) ?? 'installed');`);
  const result = await firstLine(installer);
  return { result, runs: readFileSync(join(folder, 'arguments'), 'utf8').trim().split('\n') };
}

async function argumentsOfNpm(present: Lock, { development }: { development: boolean }): Promise<string> {
  const { result, runs } = await installWith(present, { development });
  assert.deepEqual([result, runs.length], ['installed', 1]);
  return runs[0] as string;
}

test('a start installs what the program needs; packages of development are added without a change of these', async () => {
  const none: Lock = { packages: {} };
  assert.match(await argumentsOfNpm(none, { development: false }), /^ci --omit=dev /);
  assert.match(await argumentsOfNpm(none, { development: true }), /^ci --include=dev /);
  assert.match(await argumentsOfNpm(LOCK, { development: true }), /^install --no-save --include=dev /);
});

test('an install takes from the cache what is there, and asks the registry if the cache is older than the lockfile', async () => {
  const none: Lock = { packages: {} };
  const fails = 'npm error code ETARGET\nnpm error notarget No matching version found for a@1.0.0.';
  const { result, runs } = await installWith(none, { development: false, fails });
  assert.equal(result, 'installed');
  assert.deepEqual(
    runs.map((each) => each.includes('--prefer-offline')),
    [true, false],
  );
});

test('an install that fails for another reason is not repeated, and says so', async () => {
  const { result, runs } = await installWith({ packages: {} }, { development: false, fails: 'npm error code EACCES' });
  assert.match(result, /^npm ended with code 1; nothing was started/);
  assert.equal(runs.length, 1);
});

test('package-lock.json holds no download address, and an exact version of each package that the runtime needs', () => {
  const repository = new URL('../../', import.meta.url);
  const lockfile = readFileSync(new URL('package-lock.json', repository), 'utf8');
  assert.doesNotMatch(lockfile, /"resolved"|https?:\/\/[^"]*\.tgz/);
  const manifest = JSON.parse(readFileSync(new URL('package.json', repository), 'utf8'));
  for (const group of ['dependencies', 'optionalDependencies', 'devDependencies']) {
    for (const [name, version] of Object.entries(manifest[group]))
      assert.match(String(version), /^\d+\.\d+\.\d+/, name);
  }
  const pinned = Object.entries(manifest.optionalDependencies).filter(([name]) => name.startsWith('node-'));
  assert.equal(new Set(pinned.map(([, version]) => version)).size, 1);
});
