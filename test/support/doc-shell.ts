/** Runs the shell blocks of a page as a reader does: one after another, in one bash. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join, matchesGlob } from 'node:path';
import { after } from '../../src/lib/time/time.ts';
import { createCaller } from './caller.ts';
import { type Block, placeOf, QUICKSTART, ROOT, setUpBlocks } from './doc-pages.ts';
import { makeSenderAt } from './product-process.ts';

const LIMIT_MS = 100_000;

/** The parts of this checkout that are linked into the reader's folder. */
const LINKED = ['bin', 'examples', 'node_modules', 'packages', 'scripts'];
/** The programs that examples may use. So no page can install or remove something here by accident. */
const PROGRAMS = ['cat', 'curl', 'grep', 'sleep'];

export type ShellInstall = {
  /** An empty folder that becomes the reader's checkout. */
  readonly folder: string;
  /** The address of the server, and the contents of keys.json. */
  readonly keys: { readonly account_id: string; readonly test_key: string; readonly live_key: string };
  readonly env: Readonly<Record<string, string>>;
  /** Replaces addresses of the page by addresses of the test. */
  readonly rewrite: (text: string) => string;
};

export type Output = { readonly block: Block; readonly stdout: string };

/**
 * Runs the blocks in order, after the definitions of the quickstart. The folder looks like a checkout with an embedded
 * install. Returns the output of each block. At the first failed command, throws with its output.
 */
export async function runBlocks(blocks: readonly Block[], install: ShellInstall): Promise<Output[]> {
  if (blocks.length === 0) return [];
  const { folder, rewrite } = install;
  mkdirSync(join(folder, '.dialplane'));
  writeFileSync(
    join(folder, '.dialplane/keys.json'),
    JSON.stringify({ ...install.keys, base_url: rewrite('http://localhost:8080') }),
  );
  for (const name of LINKED) symlinkSync(join(ROOT, name), join(folder, name));
  mkdirSync(join(folder, 'programs'));
  symlinkSync(process.execPath, join(folder, 'programs/node'));
  for (const name of PROGRAMS) symlinkSync(findProgram(name), join(folder, 'programs', name));
  const isQuickstart = blocks[0]?.page === QUICKSTART;
  const all = [...(isQuickstart ? [] : await setUp(install)), ...blocks];
  const steps = all.map(({ text }, index) => {
    writeFileSync(join(folder, `${index}.sh`), rewrite(text));
    return `source ./${index}.sh > ${index}.out 2> ${index}.err\n`;
  });
  const code = await runBash(steps.join(''), install);
  const read = (name: string) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '');
  if (code !== 0) {
    const last = all.findLastIndex((_, index) => existsSync(join(folder, `${index}.out`)));
    const printed = read(`${last}.out`) + read(`${last}.err`);
    throw new Error(`${placeOf(all[last] as Block)} ended with ${code}:\n${printed}`);
  }
  const left = listLeftovers(folder);
  if (left.length > 0) throw new Error(`${blocks[0]?.page} leaves ${left.join(', ')} in a checkout; see .gitignore`);
  return all.map((block, index) => ({ block, stdout: read(`${index}.out`) })).slice(-blocks.length);
}

/** Returns files that examples have left in the checkout, except files that git ignores. */
function listLeftovers(folder: string): string[] {
  // Files below the home of the reader, or of this runner.
  const own = /^(\.config|programs|\d+\.(sh|out|err))$/;
  return readdirSync(folder).filter((name) => !own.test(name) && !LINKED.includes(name) && !isIgnored(name));
}

/** True if git ignores a file or folder of this name. */
export function isIgnored(name: string): boolean {
  const patterns = readFileSync(join(ROOT, '.gitignore'), 'utf8').trim().split('\n');
  return patterns.some((pattern) => matchesGlob(name, pattern.replaceAll(/^\/|\/$/g, '')));
}

/**
 * Returns the definitions of the quickstart with fixed values. Its own commands would start seven programs for each
 * page, so only the quickstart itself runs them.
 */
async function setUp({ keys, rewrite }: ShellInstall): Promise<Block[]> {
  const call = createCaller(rewrite('http://localhost:8080'), keys.test_key);
  const { tenantId, numberId, e164 } = await makeSenderAt(call);
  const values = new Map([
    ['KEY', keys.test_key],
    ['TENANT', tenantId],
    ['PHONE', e164],
    ['NUMBER', numberId],
  ]);
  const define = (command: string, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`the test has no value for ${name} of the quickstart`);
    return command.replace(/=.*/s, `=${value}`);
  };
  return setUpBlocks('sh').map((block) => ({ ...block, text: block.text.replaceAll(/^(\w+)=\$\(.*?\)$/gms, define) }));
}

function findProgram(name: string): string {
  const paths = (process.env['PATH'] ?? '').split(delimiter).map((path) => join(path, name));
  const found = paths.find((path) => existsSync(path));
  if (found === undefined) throw new Error(`the examples need ${name}, which is not installed`);
  return found;
}

/** Runs a script, and ends everything that it started in the background. Returns the exit code. */
async function runBash(script: string, { folder, env }: ShellInstall): Promise<number | null> {
  const shell = spawn(findProgram('bash'), ['-e', '-o', 'pipefail', '-c', script], {
    cwd: folder,
    detached: true,
    stdio: 'ignore',
    env: { PATH: join(folder, 'programs'), HOME: folder, ...env },
  });
  const kill = () => {
    try {
      process.kill(-(shell.pid as number), 'SIGKILL');
    } catch (error) {
      // The process group has ended.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  const limit = after(LIMIT_MS, kill);
  const code = await new Promise<number | null>((resolve) => shell.once('exit', resolve));
  limit.cancel();
  kill();
  return code;
}
