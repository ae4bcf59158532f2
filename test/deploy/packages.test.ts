/** The files that `npm pack` puts into the packages. `npm run test:pack` installs and runs them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SHOWN } from '../../src/http/site/links.ts';
import { PACKAGES, ROOT } from '../pack/packs.ts';
import { missing } from '../support/programs.ts';

/** Returns the paths of the committed files, from the folder. */
function committedFiles(folder: string, ...paths: string[]): string[] {
  const listed = execFileSync('git', ['ls-files', ...paths], { cwd: folder, encoding: 'utf8' });
  return listed.split('\n').filter((file) => file !== '');
}

const packed = new Map<string, string[]>();

/** Returns the paths of the files that `npm pack` takes, without compiling anything. npm runs once for a folder. */
function packedFiles(folder: string): string[] {
  const files = packed.get(folder) ?? listPacked(folder);
  packed.set(folder, files);
  return files;
}

function listPacked(folder: string): string[] {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const listed = execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [{ files }] = JSON.parse(listed);
  return files.map(({ path }: { path: string }) => path);
}

test('the server, the SDK and the softphone library have one version', () => {
  const versions = Object.values(PACKAGES).map(
    (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version,
  );
  assert.equal(new Set(versions).size, 1, versions.join(', '));
});

for (const [name, folder] of Object.entries(PACKAGES)) {
  test(`the package ${name} holds committed files and compiled ones, and no tests`, { skip: missing('git') }, () => {
    const committed = new Set(committedFiles(folder));
    const files = packedFiles(folder).filter((file) => !/^(packages\/console\/)?dist\//.test(file));
    const unwanted = files.filter((file) => !committed.has(file) || /(^|\/)(test|bench)\/|\.test\./.test(file));
    assert.deepEqual(unwanted, []);
  });
}

test('the package of the server holds every file that the documentation shows', { skip: missing('git') }, () => {
  const held = new Set(packedFiles(ROOT));
  const shown = committedFiles(ROOT, 'deploy', 'examples', 'docs').filter(
    (file) => SHOWN.test(file) || file.endsWith('.md'),
  );
  assert.deepEqual(
    shown.filter((file) => !held.has(file)),
    [],
  );
});
