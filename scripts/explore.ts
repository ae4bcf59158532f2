/**
 * Draws new values for the property tests: `npm run test:explore [-- --minutes N] [PATH_OR_PATTERN...]`. Runs the test
 * files with properties round after round, by default until Ctrl-C. The usual run checks the same values every time
 * (`test/support/property.ts`). Ends after the first round with a failure, which names the case to add.
 */
import { spawn } from 'node:child_process';
import { globSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/** How long each property draws new seeds in one round. A round costs a start of PostgreSQL and of Node. */
const EACH_MS = 2_000;
const USUAL = ['src/**/*.test.ts', 'test/**/*.test.ts', 'packages/*/test/*.test.ts'];
/** The functions that a file with a property calls. `blobConformance` runs its own properties. */
const HAS_PROPERTY = /\b(?:checkProperty|blobConformance)\(/;

function findFiles(patterns: readonly string[]): string[] {
  const globs = patterns.map((pattern) =>
    statSync(pattern, { throwIfNoEntry: false })?.isDirectory() ? `${pattern}/**/*.test.ts` : pattern,
  );
  const files = [...new Set(globs.flatMap((glob) => globSync(glob)))].sort();
  return files.filter((file) => HAS_PROPERTY.test(readFileSync(file, 'utf8')));
}

/** Runs the files once. Returns false if a test failed or the run was stopped. */
function runRound(files: readonly string[]): Promise<boolean> {
  const runner = fileURLToPath(new URL('test.ts', import.meta.url));
  const env = { ...process.env, DIALPLANE_TEST_EXPLORE_MS: String(EACH_MS) };
  const child = spawn(process.execPath, [runner, ...files], { env, stdio: ['ignore', 'inherit', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0));
  });
}

async function main(): Promise<boolean> {
  process.chdir(fileURLToPath(new URL('..', import.meta.url)));
  const options = { minutes: { type: 'string', default: 'Infinity' } } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const minutes = Number(values.minutes);
  if (!(minutes > 0)) throw new Error(`--minutes is "${values.minutes}"; give a number`);
  const files = findFiles(positionals.length > 0 ? positionals : USUAL);
  if (files.length === 0) throw new Error('No test file with a property matches.');
  // Ctrl-C also reaches the processes of the round, and they end the round.
  let isStopped = false;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => (isStopped = true));
  const startedMs = performance.now();
  for (let round = 1; performance.now() - startedMs < minutes * 60_000; round++) {
    console.log(`\nRound ${round}`);
    const isPassed = await runRound(files);
    if (isStopped) break;
    if (!isPassed) return false;
  }
  return true;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
