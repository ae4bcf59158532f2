/** The package as it is published: built and packed in a separate folder, installed in an empty project. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { accessSync, constants, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { closeAfterTests } from '../../../../test/support/close-after-tests.ts';
import { makeScratch } from '../../../../test/support/scratch.ts';
import { VERSION } from '../../src/version.ts';

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** Where a project has the package. */
export type Project = {
  readonly folder: string;
  /** The installed package. */
  readonly installed: string;
  write(name: string, text: string): void;
};

/** Packs the package, and installs it in an empty project, which is removed after the tests. */
export async function installPackage(): Promise<Project> {
  const scratch = makeScratch('sdk');
  closeAfterTests(scratch.remove);
  const source = join(scratch.path, 'source');
  const folder = join(scratch.path, 'project');
  for (const name of ['src', 'package.json', 'LICENSE', 'README.md', 'tsconfig.build.json']) {
    cpSync(join(PACKAGE, name), join(source, name), { recursive: true });
  }
  // `npm run` finds tsc in this folder.
  symlinkSync(join(ROOT, 'node_modules'), join(source, 'node_modules'));
  mkdirSync(folder);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('package.json', JSON.stringify({ name: 'project', private: true, type: 'module' }));
  const npm = { env: { ...process.env, npm_config_cache: join(scratch.path, 'cache'), npm_config_offline: 'true' } };
  await run('npm', ['pack', '--pack-destination', scratch.path], { ...npm, cwd: source });
  const tarball = join(scratch.path, `dialplane-sdk-${VERSION}.tgz`);
  await run('npm', ['install', '--no-audit', '--no-fund', tarball], { ...npm, cwd: folder });
  return { folder, installed: join(folder, 'node_modules/@dialplane/sdk'), write };
}

export type Compiler = { readonly version: string; readonly path: string };

/** The compilers that projects use: ours, and the newest of TypeScript 5. */
export const COMPILERS: readonly Compiler[] = [
  createRequire(import.meta.url),
  createRequire(createRequire(import.meta.url).resolve('ts-json-schema-generator')),
].map((from) => {
  const path = from.resolve('typescript/package.json');
  return { version: from(path).version, path: join(path, '../bin/tsc') };
});

/** Compiles a project, and fails with what the compiler says. */
export async function compile(compiler: string, { folder }: Project, config: string): Promise<void> {
  const failed = await run(process.execPath, [compiler, '-p', join(folder, config)]).then(
    () => undefined,
    (error: { stdout: string }) => error.stdout,
  );
  assert.equal(failed, undefined);
}

/** Runs a program, and returns its output. */
export async function runNode(node: string, { folder }: Project, program: string, args: readonly string[]) {
  const { stdout } = await run(node, [join(folder, program), ...args], { cwd: folder, timeout: 30_000 });
  return stdout;
}

/** The Node of this test, and the oldest one that the package supports if this machine has it. */
export async function nodesOf(): Promise<{ node20: string | undefined; own: string }> {
  const candidates = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  for (const path of candidates.filter(isProgram)) {
    const { stdout } = await run(path, ['--version']);
    if (stdout.startsWith('v20.')) return { node20: path, own: process.execPath };
  }
  return { node20: undefined, own: process.execPath };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
