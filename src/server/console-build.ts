/**
 * Builds the console of a checkout. The npm package has it built. A start builds it in the background, when it is
 * missing or older than its sources, and `npm run build` in the foreground.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the program: a checkout, or the npm package. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What the build is made of. */
const SOURCE_FOLDERS = ['packages/console', 'packages/sdk/src', 'packages/softphone/src'];
const SOURCE_FILES = ['package-lock.json'];
const NO_SOURCES = new Set(['dist', 'node_modules']);
/** In the build: the hash of the sources that it was made of. */
const HASH_FILE = '.sources';

const FOLLOW_PARENT = new URL('../../scripts/bootstrap/follow-parent.mjs', import.meta.url);
/** In a checkout: adds the packages of development. */
const INSTALLER = join('scripts', 'bootstrap', 'install.mjs');

/** Returns the folder from which the console is served. */
export function consoleFolder(root: string): string {
  return join(root, 'packages', 'console', 'dist');
}

/** True if the folder has the sources of the console. */
export function hasConsoleSources(root: string): boolean {
  return existsSync(join(root, 'packages', 'console', 'vite.config.ts'));
}

/** Returns the hash of the sources if the build is missing or of other sources; undefined if it is up to date. */
export async function findOutdated(root: string): Promise<string | undefined> {
  const wanted = await hashSources(root);
  return (await readHash(root)) === wanted ? undefined : wanted;
}

async function readHash(root: string): Promise<string | undefined> {
  return await readFile(join(consoleFolder(root), HASH_FILE), 'utf8').catch(ignoreMissing);
}

async function hashSources(root: string): Promise<string> {
  const hash = createHash('sha256');
  const lists = await Promise.all(SOURCE_FOLDERS.map((folder) => listFiles(root, folder)));
  for (const path of [...SOURCE_FILES, ...lists.flat()]) {
    hash.update(`${path}\0`).update((await readFile(join(root, path)).catch(ignoreMissing)) ?? '');
  }
  return hash.digest('hex');
}

/** Returns the files below a folder, in the same order on every machine. */
async function listFiles(root: string, path: string): Promise<string[]> {
  const entries = (await readdir(join(root, path), { withFileTypes: true }).catch(ignoreMissing)) ?? [];
  const kept = entries.filter(({ name }) => !NO_SOURCES.has(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const lists = kept.map((entry) => {
    const inner = `${path}/${entry.name}`;
    return entry.isDirectory() ? listFiles(root, inner) : Promise.resolve([inner]);
  });
  return (await Promise.all(lists)).flat();
}

type ProgramOptions = {
  readonly root: string;
  readonly signal?: AbortSignal;
  readonly inBackground?: boolean;
};

type BuildOptions = ProgramOptions & {
  /** The hash of the sources. */
  readonly hash: string;
};

const viteOf = (root: string) => join(root, 'node_modules', 'vite', 'bin', 'vite.js');

/** True if the packages that build the console are here. A start without them is the first one of a checkout. */
export function canBuildConsole(root: string): boolean {
  return existsSync(viteOf(root));
}

/**
 * Adds the packages that build the console to those that the program runs on.
 * @throws Error with what npm has said
 */
export async function installBuilder({ root, signal, inBackground = false }: ProgramOptions): Promise<void> {
  await runNode([join(root, INSTALLER)], { root, signal, inBackground });
}

/**
 * Builds the console beside the present build and then replaces that.
 * @throws Error with what Vite has said
 */
export async function buildConsole({ root, hash, signal, inBackground = false }: BuildOptions): Promise<void> {
  if (!canBuildConsole(root)) throw new Error('the packages that it is built with are not installed');
  // Of this process, so that two processes of a checkout do not build into one folder.
  const work = join(root, 'node_modules', '.cache', `console-${process.pid}`);
  const [fresh, former] = [join(work, 'fresh'), join(work, 'former')];
  await mkdir(work, { recursive: true });
  try {
    const words = [
      'build',
      join(root, 'packages', 'console'),
      '--outDir',
      fresh,
      '--emptyOutDir',
      '--logLevel',
      'warn',
    ];
    await runNode([viteOf(root), ...words], { root, signal, inBackground });
    await writeFile(join(fresh, HASH_FILE), hash);
    await rename(consoleFolder(root), former).catch(ignoreMissing);
    await rename(fresh, consoleFolder(root));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Everything else that the machine has to do comes first. */
const LOWEST_PRIORITY = ['nice', '-n', '19'];
const SAID_CHARS_MAX = 2_000;

type RunOptions = {
  readonly root: string;
  readonly signal: AbortSignal | undefined;
  readonly inBackground: boolean;
};

function runNode(args: readonly string[], { root, signal, inBackground }: RunOptions): Promise<void> {
  const isNice = inBackground && process.platform !== 'win32';
  const words = [process.execPath, '--import', FOLLOW_PARENT.href, ...args];
  const [program, ...rest] = (isNice ? [...LOWEST_PRIORITY, ...words] : words) as [string, ...string[]];
  // The channel ends the child if this process is killed.
  const child = spawn(program, rest, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    ...(signal && { signal }),
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-SAID_CHARS_MAX);
    });
  }
  return new Promise((resolve, reject) => {
    let failure: Error | undefined;
    child.on('error', (error) => {
      failure = error;
      if (child.pid === undefined) reject(error);
    });
    child.once('close', (code, by) => {
      if (code === 0 && failure === undefined) resolve();
      else reject(failure ?? new Error(said.trim() || `it ended with ${by ?? `code ${code}`}`));
    });
  });
}
