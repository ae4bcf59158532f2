/** The real npm installs and repairs three small packages. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SHELL } from '../../test/pack/packs.ts';
import { until } from '../../test/support/jobs.ts';
import { makeScratch } from '../../test/support/scratch.ts';

const scratch = makeScratch('repair');
after(() => scratch.remove());
const root = join(scratch.path, 'checkout');
const cache = join(scratch.path, 'cache');

/** A long path has a separate header in an archive. */
const LONG = `lib/${'deep/'.repeat(30)}file.js`;
const FILES = { 'index.js': `${'// filler\n'.repeat(2_000)}export const whole = true;\n`, [LONG]: 'export {};\n' };
/** The packages: one whose scripts are not allowed, and one that the npm of a Node 20 warns about. */
const MANIFEST = { version: '1.0.0', engines: { node: '>=99' }, scripts: { install: 'node --version' } };
const DEPENDENCIES = {
  dependencies: { program: 'file:program.tgz' },
  devDependencies: { builder: 'file:builder.tgz', other: 'file:other.tgz' },
};

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Makes the archive of a package in the checkout and in npm's cache, and returns its entry of a lockfile. */
function pack(name: string, isDev: boolean): object {
  const archive = join(root, `${name}.tgz`);
  const folder = join(scratch.path, name);
  write(join(folder, 'package'), { 'package.json': JSON.stringify({ name, ...MANIFEST }), ...FILES });
  execFileSync('tar', ['--format=pax', '-czf', archive, '-C', folder, 'package']);
  const hash = createHash('sha512').update(readFileSync(archive)).digest();
  const [, first, second, rest] = /^(..)(..)(.*)$/.exec(hash.toString('hex')) as unknown as [
    string,
    string,
    string,
    string,
  ];
  cpSync(archive, join(cache, '_cacache/content-v2/sha512', first, second, rest));
  const integrity = `sha512-${hash.toString('base64')}`;
  const { version, engines } = MANIFEST;
  const entry = { version, resolved: `file:${name}.tgz`, integrity, engines, hasInstallScript: true };
  return isDev ? { ...entry, dev: true } : entry;
}

let first: ReturnType<typeof run>;
before(() => {
  const allowScripts = { program: false, builder: false, other: false };
  const about = { name: 'checkout', version: '1.0.0', ...DEPENDENCIES, allowScripts };
  write(root, { 'package.json': JSON.stringify(about) });
  const packages = {
    '': about,
    'node_modules/program': pack('program', false),
    'node_modules/builder': pack('builder', true),
    'node_modules/other': pack('other', true),
  };
  write(root, { 'package-lock.json': JSON.stringify({ ...about, lockfileVersion: 3, requires: true, packages }) });
  cpSync(fileURLToPath(new URL('.', import.meta.url)), join(root, 'scripts/bootstrap'), { recursive: true });
  cpSync(fileURLToPath(new URL('../../.npmrc', import.meta.url)), join(root, '.npmrc'));
  first = run('npm', ['ci', '--omit=dev']);
});

function run(program: string, args: readonly string[]) {
  const env = { ...SHELL, npm_config_cache: cache };
  const { status, stderr, error } = spawnSync(program, args, { cwd: root, env, encoding: 'utf8' });
  if (error !== undefined) throw error;
  return { code: status, said: stderr };
}

const install = (...options: string[]) => run(process.execPath, ['scripts/bootstrap/install.mjs', ...options]);
const inPackage = (name: string, file = 'index.js') => join(root, 'node_modules', name, file);
const inode = (name: string) => statSync(inPackage(name)).ino;

function assertWhole(name: string): void {
  for (const [file, text] of Object.entries(FILES)) assert.equal(readFileSync(inPackage(name, file), 'utf8'), text);
}

test('npm ci by hand says nothing of packages for a newer Node, which the program brings, and of scripts that do not run', () => {
  assert.deepEqual([first.code, first.said], [0, '']);
});

test('an install replaces what a killed one has unpacked, and leaves the packages of the program as they are', () => {
  const before = inode('program');
  // npm takes a package for installed once it has a package.json.
  write(join(root, 'node_modules/builder'), { 'package.json': '{"name":"builder","version":"1.0.0"}' });
  write(join(root, 'node_modules/builder'), { 'index.js': FILES['index.js'].slice(0, 5_000) });
  const { code, said } = install();
  assert.equal(code, 0, said);
  assertWhole('builder');
  assertWhole('other');
  assert.equal(inode('program'), before);
});

test('a repair replaces packages of development with a file that is cut or missing, and no other', () => {
  const before = [inode('program'), inode('other')];
  truncateSync(inPackage('builder'), 5_000);
  assert.equal(install().code, 0);
  assert.equal(statSync(inPackage('builder')).size, 5_000, 'npm would find it itself');
  const cut = install('--repair');
  assert.equal(cut.code, 0, cut.said);
  assert.match(cut.said, /installing 1 damaged package\b/);
  assertWhole('builder');
  unlinkSync(inPackage('builder', LONG));
  assert.equal(install('--repair').code, 0);
  assertWhole('builder');
  assert.deepEqual([inode('program'), inode('other')], before);
});

test('a repair without a damaged package changes nothing, and says so', () => {
  const before = [inode('builder'), inode('other')];
  const { code, said } = install('--repair');
  assert.deepEqual([code, said], [1, 'dialplane: no package is damaged\n']);
  assert.deepEqual([inode('builder'), inode('other')], before);
});

test('an install ends by its signal, although npm would take back its work first', async () => {
  const bin = join(scratch.path, 'bin');
  const slow = `process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000);
    require('node:fs').writeFileSync('npm-runs', '');`;
  write(bin, { 'npm.cjs': slow });
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\nexec "${process.execPath}" "${bin}/npm.cjs"\n`, { mode: 0o755 });
  unlinkSync(join(root, 'node_modules/.package-lock.json'));
  const env = { ...SHELL, PATH: `${bin}:${SHELL['PATH']}` };
  const child = spawn(process.execPath, ['scripts/bootstrap/install.mjs'], { cwd: root, env, stdio: 'ignore' });
  await until('npm runs', () => existsSync(join(root, 'npm-runs')));
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGTERM']);
  assert.equal(existsSync(join(root, '.install-lock')), false);
});
