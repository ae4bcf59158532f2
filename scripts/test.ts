/** The test command: `npm test`. HELP explains it. */
import { globSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { BrowserServer } from 'playwright-core';
import { buildConsole, findOutdated, ROOT } from '../src/server/console/console-build.ts';
import { noChromium, serveChromium } from '../test/support/chromium.ts';
import { makeBarePath } from './testing/bare.ts';
import { findChangedFiles, findReaching, selectTests } from './testing/changed.ts';
import { type FileResult, hasPassed } from './testing/file-result.ts';
import { readImports } from './testing/import-graph.ts';
import { keepWeights, planFiles } from './testing/plan.ts';
import { runFiles } from './testing/pool.ts';
import { startTestPostgres, type TestPostgres } from './testing/postgres.ts';
import { describeFile, describeRun } from './testing/report.ts';

const HELP = `npm test [-- OPTIONS] [-- PATH_OR_PATTERN...]

Starts a PostgreSQL server, migrates a template database that tests clone, runs the test files on all cores and always
stops the server. Prints a line for each file, and failures in full. Without a path it runs all usual test files.

  --changed        only the tests that the changes since the last commit of main can make fail: those of the files that
                   differ from it, committed on a branch or not. On main: those of the files that are not committed
  --name PATTERN   only tests whose name matches
  --bare           the tests that use programs which a machine may lack, with all of these hidden: npm run test:bare
  --keep-weights   write how long the files took to scripts/testing/weights.json: the longest start first
  --crash          the crash tests in full size instead of the usual files
  --cells          three cells under load and kills instead of the usual files
  --rolling        restarts behind a balancer instead of the usual files
  --pack           the npm packages and the image, installed and run, instead of the usual files
  --sip            calls on a real SIP engine instead of the usual files: npm run test:sip
  --ha             the fail-over test on a database cluster instead of the usual files`;

const USUAL = ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts', 'packages/*/test/*.test.ts'];
const BROWSER = /^test.(?:browser|console).|^packages.sdk.test.browser/;
const CONSOLE = /^test.console./;
const SETS = {
  crash: ['test/crash/*.crash.ts'],
  cells: ['test/crash/*.cells.ts'],
  rolling: ['test/rolling/*.rolling.ts'],
  ha: ['test/ha/*.ha.ts'],
  pack: ['test/pack/*.pack.ts'],
  sip: ['test/sip/*.sip.ts'],
} as const;
const FILE_LIMIT_MS = 600_000;
const SLOW_FILE_LIMIT_MS = 1_200_000;
const PROGRAMS = 'test/support/programs.ts';

const OPTIONS = {
  help: { type: 'boolean' },
  changed: { type: 'boolean' },
  bare: { type: 'boolean' },
  cells: { type: 'boolean' },
  'keep-weights': { type: 'boolean' },
  crash: { type: 'boolean' },
  ha: { type: 'boolean' },
  pack: { type: 'boolean' },
  rolling: { type: 'boolean' },
  sip: { type: 'boolean' },
  name: { type: 'string' },
} as const;

const readOptions = () => parseArgs({ options: OPTIONS, allowPositionals: true });
type Options = ReturnType<typeof readOptions>['values'];

/** Returns the test files of paths, folders and glob patterns, each once, in order. */
function findFiles(patterns: readonly string[]): string[] {
  const globs = patterns.map((pattern) =>
    statSync(pattern, { throwIfNoEntry: false })?.isDirectory() ? `${pattern}/**/*.test.ts` : pattern,
  );
  return [...new Set(globs.flatMap((glob) => globSync(glob).sort()))];
}

/** Returns the test files that the options and paths of the command choose. */
async function chooseFiles(options: Options, patterns: readonly string[]): Promise<string[]> {
  const set = Object.entries(SETS).find(([name]) => options[name as keyof typeof SETS])?.[1] ?? USUAL;
  const files = findFiles(patterns.length > 0 ? patterns : set);
  if (files.length === 0) throw new Error('No test file matches.');
  if (options.changed) return selectTests(findChangedFiles(), files, await readImports(files));
  if (!options.bare || patterns.length > 0) return files;
  const reaching = findReaching([PROGRAMS], await readImports(files));
  return files.filter((file) => reaching.has(file));
}

/** Builds the console unless its build is of the present sources. The tests of a run share the build. */
async function buildOutdatedConsole(): Promise<void> {
  const hash = await findOutdated(ROOT);
  if (hash !== undefined) await buildConsole({ root: ROOT, hash });
}

/** Sets the environment that the processes of the tests inherit. */
function setEnvironment(options: Options, postgres: TestPostgres): void {
  process.env['DIALPLANE_TEST_ADMIN_URL'] = postgres.adminUrl;
  process.env['DIALPLANE_TEST_TEMPLATE'] = postgres.template;
  // Temporary files of tests are removed with the run, also if it is aborted.
  process.env['TMPDIR'] = postgres.scratch;
  if (options.crash) process.env['DIALPLANE_CRASH_SIZE'] = 'full';
  if (!options.bare) return;
  process.env['PATH'] = makeBarePath(join(postgres.scratch, 'programs'));
  delete process.env['CHROMIUM'];
}

/** Aborts when the command must end, or when its output is closed. */
function createAbort(): AbortSignal {
  const aborting = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => aborting.abort(new Error(`ended by ${name}`)));
  }
  process.stdout.on('error', () => aborting.abort(new Error('the reader of the output has gone')));
  return aborting.signal;
}

async function runTests(paths: readonly string[], options: Options): Promise<boolean> {
  const signal = createAbort();
  const startedAt = performance.now();
  const [started, built] = await Promise.allSettled([
    startTestPostgres(),
    paths.some((path) => CONSOLE.test(path)) && buildOutdatedConsole(),
  ]);
  if (started.status === 'rejected') throw started.reason;
  const postgres = started.value;
  let browser: BrowserServer | undefined;
  try {
    if (built.status === 'rejected') throw built.reason;
    console.log(`PostgreSQL ready in ${Math.round(performance.now() - startedAt)} ms; ${paths.length} test files`);
    setEnvironment(options, postgres);
    if (!options.bare && noChromium === false && paths.some((path) => BROWSER.test(path))) {
      browser = await serveChromium();
      process.env['DIALPLANE_TEST_BROWSER_ENDPOINT'] = browser.wsEndpoint();
    }
    const isSlow = options.cells || options.crash || options.ha || options.pack || options.rolling;
    const isLong = isSlow || options.sip;
    const results: FileResult[] = [];
    await runFiles(planFiles(paths), {
      name: options.name,
      limitMs: isLong ? SLOW_FILE_LIMIT_MS : FILE_LIMIT_MS,
      // Many of the usual files wait for their programs and timers, so one more process saves time. Two more lose time.
      concurrency: availableParallelism() + (isSlow ? 0 : 1),
      signal,
      onResult: (result) => {
        results.push(result);
        process.stdout.write(describeFile(result));
      },
    });
    process.stdout.write(describeRun(results, performance.now() - startedAt, options.name));
    if (options['keep-weights']) keepWeights(results);
    return !signal.aborted && results.some(({ tests }) => tests.passed > 0) && results.every(hasPassed);
  } finally {
    await browser?.close();
    await postgres.stop();
  }
}

async function main(): Promise<boolean> {
  process.chdir(fileURLToPath(new URL('..', import.meta.url)));
  const { values, positionals } = readOptions();
  if (values.help) {
    console.log(HELP);
    return true;
  }
  const paths = await chooseFiles(values, positionals);
  if (paths.length > 0) return runTests(paths, values);
  console.log('No test depends on a changed file.');
  return true;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
