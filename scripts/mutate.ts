/**
 * Breaks guarantees of the product one after the other and looks whether a test notices:
 * `node scripts/mutate.ts [--only N,N-N] [--write]`. Works in a temporary copy. For each edit of `mutations/` it
 * changes the one text, runs the test files that must catch it, expects a failure, and restores the file. Before that
 * the same test files must pass without an edit. Takes half an hour or more, so it is run by hand.
 *
 *   --only 3,7-9   these edits alone
 *   --write        stores the results in docs/mutations.md; those of other edits stay
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { MUTATIONS } from './mutations/all.ts';
import { edited, type Mutation } from './mutations/mutation.ts';
import { type Result, writeResult } from './mutations/results.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Reads `3,7-9` as positions from 0. */
function readNumbers(text: string | undefined): number[] {
  if (text === undefined) return MUTATIONS.map((_, index) => index);
  return text.split(',').flatMap((part) => {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    if (first === undefined || Number(first) < 1 || Number(last) > MUTATIONS.length || Number(last) < Number(first)) {
      throw new Error(`--only is "${text}"; give numbers from 1 to ${MUTATIONS.length}, such as 3,7-9`);
    }
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => Number(first) - 1 + index);
  });
}

/** Copies the files of the repository, also files that are not committed, and links to its packages. */
function copyRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dialplane-mutations-'));
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'],
    {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  const removed = execFileSync('git', ['ls-files', '-z', '--deleted'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  for (const file of listed.split('\0')) {
    if (file !== '' && !removed.includes(file)) cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

type Run = { readonly isPassed: boolean; readonly failures: readonly string[]; readonly output: string };

/** Runs test files of the copy. */
async function runTests(folder: string, files: readonly string[]): Promise<Run> {
  const child = spawn(process.execPath, [join(folder, 'scripts/test.ts'), ...files], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const failures = [...output.matchAll(/^ {2}✖ (?:\S+\.test\.ts > )?(.*) \(line \d+\)$/gm)].map(
    ([, name]) => name ?? '',
  );
  return { isPassed: code === 0, failures: [...new Set(failures)], output };
}

/** Breaks one guarantee and returns the test that noticed it; undefined if none did. */
async function tryMutation(folder: string, mutation: Mutation): Promise<string | undefined> {
  const path = join(folder, mutation.file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, edited(text, mutation));
  try {
    const { isPassed, failures, output } = await runTests(folder, mutation.tests);
    if (isPassed) return undefined;
    if (failures.length === 0) throw new Error(`the tests did not run:\n${output}`);
    return failures[0];
  } finally {
    writeFileSync(path, text);
  }
}

/** @param keep stores a result */
async function tryAll(
  folder: string,
  numbers: readonly number[],
  keep: (result: Result) => void,
): Promise<readonly Result[]> {
  const chosen = numbers.map((number) => ({ number, mutation: MUTATIONS[number] as Mutation }));
  // An edit that does not fit is found before anything is run.
  for (const { mutation } of chosen) edited(readFileSync(join(folder, mutation.file), 'utf8'), mutation);
  const files = [...new Set(chosen.flatMap(({ mutation }) => mutation.tests))];
  console.log(`Without an edit: ${files.length} test files`);
  const whole = await runTests(folder, files);
  if (!whole.isPassed) throw new Error(`tests fail without an edit:\n${whole.output}`);
  const results: Result[] = [];
  for (const { number, mutation } of chosen) {
    const caughtBy = await tryMutation(folder, mutation);
    const result = { guarantee: mutation.guarantee, caughtBy };
    results.push(result);
    keep(result);
    console.log(`${String(number + 1).padStart(3)}  ${mutation.guarantee}\n     ${caughtBy ?? 'NOT CAUGHT'}`);
  }
  return results;
}

async function main(): Promise<boolean> {
  const options = { only: { type: 'string' }, write: { type: 'boolean', default: false } } as const;
  const { values } = parseArgs({ options });
  const numbers = readNumbers(values.only);
  const folder = copyRepository();
  try {
    const page = join(ROOT, 'docs/mutations.md');
    const results = await tryAll(folder, numbers, (result) => {
      if (values.write) writeResult(page, MUTATIONS, result);
    });
    const missed = results.filter(({ caughtBy }) => caughtBy === undefined).length;
    console.log(`\n${results.length - missed} of ${results.length} broken guarantees were noticed`);
    return missed === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = (await main()) ? 0 : 1;
