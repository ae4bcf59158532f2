/**
 * Builds the console of a checkout. The npm package contains a built console. If the build is missing or older than its
 * sources, a start builds it in the background. `npm run build` builds it in the foreground.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { after } from '../../lib/time/time.ts';

/** The folder of the program: a checkout, or the npm package. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The sources of the build. */
const SOURCE_FOLDERS = ['packages/console', 'packages/i18n/src', 'packages/sdk/src', 'packages/softphone/src'];
const SOURCE_FILES = ['package-lock.json'];
const NO_SOURCES = new Set(['dist', 'node_modules']);
/** The file in a build that has the hash of the build's sources. */
const HASH_FILE = '.sources';

const FOLLOW_PARENT = new URL('../../../scripts/bootstrap/follow-parent.mjs', import.meta.url);
/** The program in a checkout that adds the packages of development. */
const INSTALLER = join('scripts', 'bootstrap', 'install.mjs');
const INSTALLED = join('scripts', 'bootstrap', 'installed.mjs');

/** Returns the folder of the console that the server serves. */
export function consoleFolder(root: string): string {
  return join(root, 'packages', 'console', 'dist');
}

/** True if the folder has the sources of the console. */
export function hasConsoleSources(root: string): boolean {
  return existsSync(join(root, 'packages', 'console', 'vite.config.ts'));
}

/** Returns the hash of the sources if there is no build of them; undefined if the build is up to date. */
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

/** Returns the files below a folder. The order is the same on every machine. */
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

/**
 * True if the packages that build the console are completely installed. A first start does not install these packages.
 */
export async function canBuildConsole(root: string): Promise<boolean> {
  const { isInstalled }: Installed = await import(pathToFileURL(join(root, INSTALLED)).href);
  return isInstalled(root, true);
}

type Installed = { isInstalled(root: string, development: boolean): boolean };

/**
 * Installs the packages that build the console. The packages that run the program stay.
 * @throws Error with the output of npm
 */
export async function installBuilder(options: ProgramOptions): Promise<void> {
  await runNode([join(options.root, INSTALLER)], options);
}

/**
 * Builds the console as `buildConsole` does. If the build fails, replaces damaged packages and builds once more.
 * @throws Error with the output of Vite, and why no package was replaced
 */
export async function buildOrRepair(options: BuildOptions): Promise<void> {
  const { root, signal } = options;
  try {
    await buildConsole(options);
  } catch (error) {
    signal?.throwIfAborted();
    const unrepaired = await runNode([join(root, INSTALLER), '--repair'], options).catch((problem: Error) => problem);
    if (unrepaired) throw new Error(`${(error as Error).message}\n${unrepaired.message}`, { cause: error });
    await buildConsole(options);
  }
}

/**
 * Builds the console into a new folder, and then replaces the present build with it.
 * @throws Error with the output of Vite
 */
export async function buildConsole(options: BuildOptions): Promise<void> {
  const { root, hash } = options;
  if (!(await canBuildConsole(root))) throw new Error('the packages that it is built with are not installed');
  // Each process has a separate folder, so two processes of a checkout do not write to the same one.
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
    await runNode([viteOf(root), ...words], options);
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

/**
 * The words of a command that runs a program at the lowest priority. If Linux schedules by sessions, the priority of a
 * process matters only within its session. So the priority of the session is lowered too.
 */
const LAST = [
  'sh',
  '-c',
  '[ ! -w /proc/self/autogroup ] || echo 10 2>/dev/null >/proc/self/autogroup; exec nice -n 19 "$@"',
  'sh',
];
const SAID_CHARS_MAX = 2_000;
/** How long a program may take to end in order. The next start also finds files that the program leaves behind. */
const END_WITHIN_MS = 500;

async function runNode(args: readonly string[], { root, signal, inBackground = false }: ProgramOptions): Promise<void> {
  signal?.throwIfAborted();
  const isGroup = inBackground && process.platform !== 'win32';
  const words = [process.execPath, '--import', FOLLOW_PARENT.href, ...args];
  const [program, ...rest] = (isGroup ? [...LAST, ...words] : words) as [string, ...string[]];
  // The IPC channel ends the child if this process is killed. In the background the child leads a process group, which
  // also has the child's children.
  const child = spawn(program, rest, { cwd: root, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: isGroup });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-SAID_CHARS_MAX);
    });
  }
  const stop = () => endChild(child, isGroup);
  signal?.addEventListener('abort', stop, { once: true });
  await new Promise<void>((resolve, reject) => {
    child.on('error', (error) => {
      if (child.pid === undefined) reject(error);
    });
    child.once('close', (code, by) => {
      if (code === 0) resolve();
      else reject(new Error(said.trim() || `it ended with ${by ?? `code ${code}`}`));
    });
  }).finally(() => signal?.removeEventListener('abort', stop));
}

/** Asks a program to end, and later kills it and its group. */
function endChild(child: ChildProcess, isGroup: boolean): void {
  const { pid } = child;
  if (pid === undefined) return;
  child.kill('SIGTERM');
  const timer = after(END_WITHIN_MS, () => (isGroup ? killGroup(pid) : child.kill('SIGKILL')));
  child.once('close', () => timer.cancel());
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
