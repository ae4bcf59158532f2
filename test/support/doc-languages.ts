/**
 * Runs the TypeScript and Python of a page. Its blocks are one program, which begins with the definitions of the
 * quickstart.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Block, placeOf, QUICKSTART, ROOT, setUpBlocks } from './doc-pages.ts';
import type { ShellInstall } from './doc-shell.ts';
import { missing } from './programs.ts';

export type Language = 'ts' | 'python';

/** The reason to skip the examples in Python on this machine, or false. */
export const noPython: string | false = missing('python3');

const LIMIT_MS = 100_000;
/** The compiler finds the client by its name. The program gets the address of its source. */
const SDK = pathToFileURL(join(ROOT, 'packages/sdk/src/index.ts')).href;

/** A receiver on a page runs forever, on a port that may be in use. In the test it takes a free port, and ends. */
const RECEIVERS = [
  ['receiver.listen(3000);', 'receiver.listen(0, () => receiver.close());'],
  ['3000), Receiver).serve_forever()', '0), Receiver).server_close()'],
] as const;

/** Writes the blocks of a page as one program, with the place of each block. */
export function writeProgram(page: string, language: Language, blocks: readonly Block[]): string {
  const before = page === QUICKSTART ? [] : setUpBlocks(language);
  const comment = language === 'ts' ? '//' : '#';
  return [...before, ...blocks].map((block) => `${comment} ${placeOf(block)}\n${block.text}`).join('\n');
}

/** Runs the blocks of a page in a folder that looks like a checkout. Throws with the output if the program fails. */
export async function runProgram(
  { page, language, blocks }: { page: string; language: Language; blocks: readonly Block[] },
  { folder, keys, rewrite }: ShellInstall,
): Promise<void> {
  mkdirSync(join(folder, '.dialplane'), { recursive: true });
  writeFileSync(join(folder, '.dialplane/keys.json'), JSON.stringify(keys));
  const isTypeScript = language === 'ts';
  const file = join(folder, isTypeScript ? 'program.mts' : 'program.py');
  const program = rewrite(writeProgram(page, language, blocks)).replaceAll("'@dialplane/sdk'", `'${SDK}'`);
  writeFileSync(
    file,
    RECEIVERS.reduce((text, [shown, run]) => text.replaceAll(shown, run), program),
  );
  const output = await execute(isTypeScript ? process.execPath : 'python3', file, folder);
  if (output !== undefined) throw new Error(`${page} in ${language}:\n${output}`);
}

/** Returns the output of a failed program; undefined if it succeeded. */
function execute(program: string, file: string, cwd: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, [file], { cwd, timeout: LIMIT_MS }, (error, stdout, stderr) => {
      resolve(error === null ? undefined : `${stdout}${stderr}${error.message}`);
    });
  });
}

/** Returns the compiler's findings in the TypeScript of pages, under strict settings; empty if there are none. */
export function checkTypes(programs: ReadonlyMap<string, string>, folder: string): string {
  mkdirSync(folder);
  for (const [page, text] of programs) writeFileSync(join(folder, `${page.replaceAll('/', '-')}.mts`), text);
  const compilerOptions = {
    rootDir: '/',
    typeRoots: [join(ROOT, 'node_modules/@types')],
    paths: { '@dialplane/sdk': [join(ROOT, 'packages/sdk/src/index.ts')] },
    incremental: false,
  };
  const settings = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.mts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  return spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder], {
    encoding: 'utf8',
  }).stdout;
}
