/** The npm packages, packed from this checkout and installed into an empty folder, under the Node of the machine. */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeScratch } from '../support/scratch.ts';

const run = promisify(execFile);

/** The checkout. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The folders of the packages, by name. */
export const PACKAGES = {
  dialplane: ROOT,
  '@dialplane/sdk': join(ROOT, 'packages/sdk'),
  '@dialplane/softphone': join(ROOT, 'packages/softphone'),
} as const;

/** npm puts the pinned Node of a checkout before the one of the machine. */
const PATH = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

/** The environment of an operator's shell: the machine's programs, and nothing of the npm that runs the tests. */
export const SHELL: Readonly<Record<string, string>> = { PATH, HOME: process.env['HOME'] ?? '/' };

/** A folder after `npm install` of packages. */
export type Install = {
  readonly folder: string;
  /** Runs a program in the folder to its end, and returns its outputs. */
  run(program: string, args: readonly string[]): Promise<{ stdout: string; stderr: string }>;
  remove(): void;
};

/** Packs packages of this checkout, and returns the paths of the files. */
async function pack(names: readonly (keyof typeof PACKAGES)[], to: string): Promise<string[]> {
  const paths: string[] = [];
  for (const name of names) {
    const args = ['pack', '--silent', '--pack-destination', to];
    const { stdout } = await run('npm', args, { cwd: PACKAGES[name], env: SHELL });
    paths.push(join(to, stdout.trim().split('\n').at(-1) as string));
  }
  return paths;
}

/** Packs all packages, and installs them together with plain `npm install`. */
export async function installPacks(): Promise<Install> {
  const scratch = makeScratch('pack');
  const folder = join(scratch.path, 'platform');
  await mkdir(folder, { mode: 0o755 });
  await writeFile(join(folder, 'package.json'), '{ "name": "platform", "private": true, "type": "module" }\n');
  const packs = await pack(Object.keys(PACKAGES) as (keyof typeof PACKAGES)[], scratch.path);
  const install: Install = {
    folder,
    run: (program, args) => run(program, [...args], { cwd: folder, env: SHELL }),
    remove: scratch.remove,
  };
  try {
    await install.run('npm', ['install', '--no-audit', '--no-fund', ...packs]);
  } catch (error) {
    scratch.remove();
    throw error;
  }
  return install;
}
