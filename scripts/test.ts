/**
 * The test command: `npm test [-- PATH_OR_PATTERN...]`. Starts a PostgreSQL server, migrates a template database that
 * tests clone, runs the test files on all cores and always stops the server. Prints a line for each file, and failures
 * in full.
 *
 *   --name PATTERN   only tests whose name matches
 *   --crash          the crash tests in full size instead of the usual files
 *   --rolling        restarts behind a balancer instead of the usual files
 *   --pack           the npm packages and the image, installed and run, instead of the usual files
 *   --sip            calls on a real SIP engine instead of the usual files: `npm run test:sip`
 *   --ha             the fail-over test on a database cluster instead of the usual files
 */
import { globSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type EventData, run } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildConsole, findOutdated, ROOT } from '../src/server/console-build.ts';
import { noChromium } from '../test/support/chromium.ts';
import { planProcesses, writeBatches } from './test-batches.ts';
import { startTestPostgres } from './test-postgres.ts';
import { isBatched, reportFiles } from './test-report.ts';

const USUAL = ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts', 'packages/*/test/*.test.ts'];
const BROWSER = /^test.(?:browser|console)./;
const CONSOLE = /^test.console./;
const CRASH = ['test/crash/*.crash.ts'];
const ROLLING = ['test/rolling/*.rolling.ts'];
const HA = ['test/ha/*.ha.ts'];
const PACK = ['test/pack/*.pack.ts'];
const SIP = ['test/sip/*.sip.ts'];
const FILE_LIMIT_MS = 300_000;
const SLOW_FILE_LIMIT_MS = 1_200_000;

/** Returns the patterns of an option. */
function chooseFiles(options: Readonly<Record<string, string | boolean | undefined>>): readonly string[] {
  if (options['crash']) return CRASH;
  if (options['ha']) return HA;
  if (options['pack']) return PACK;
  if (options['rolling']) return ROLLING;
  return options['sip'] ? SIP : USUAL;
}

/** Returns the test files of paths, folders and glob patterns, each once, in order. */
function findFiles(patterns: readonly string[]): string[] {
  const suffix = patterns === CRASH ? '*.crash.ts' : patterns === HA ? '*.ha.ts' : '*.test.ts';
  const globs = patterns.map((pattern) =>
    statSync(pattern, { throwIfNoEntry: false })?.isDirectory() ? `${pattern}/**/${suffix}` : pattern,
  );
  return [...new Set(globs.flatMap((glob) => globSync(glob).sort()))];
}

/** Builds the console unless it is of the present sources. The tests of a run share the build. */
async function buildOutdatedConsole(): Promise<void> {
  const hash = await findOutdated(ROOT);
  if (hash !== undefined) await buildConsole({ root: ROOT, hash });
}

type Running = { name: string | undefined; concurrency: number; signal: AbortSignal };

async function runFiles(programs: string[], { name, concurrency, signal }: Running): Promise<boolean> {
  const watchdog = fileURLToPath(new URL('test-watchdog.ts', import.meta.url));
  const tests = run({
    files: programs,
    signal,
    concurrency,
    execArgv: ['--import', watchdog],
    ...(name !== undefined && { testNamePatterns: [name] }),
  });
  let summary: EventData.TestSummary | undefined;
  tests.on('test:summary', (event) => {
    if (event.file === undefined) summary = event;
  });
  // A file that shares a process is a test for the runner, and not for the reader.
  const files = { passed: 0, failed: 0 };
  tests.on('test:pass', (event) => isBatched(event) && files.passed++);
  tests.on('test:fail', (event) => isBatched(event) && files.failed++);
  for await (const text of reportFiles(tests)) process.stdout.write(text);
  return summary !== undefined && report(summary, files);
}

/** Prints the counts, less those of `files`, in the form of Node's own test command. */
function report(
  { counts, success, duration_ms }: EventData.TestSummary,
  files: { passed: number; failed: number },
): boolean {
  const { suites, cancelled, skipped, todo } = counts;
  const tests = counts.tests - files.passed - files.failed;
  const passed = counts.passed - files.passed;
  const fail = tests - passed - cancelled - skipped - todo;
  const lines = { tests, suites, pass: passed, fail, cancelled, skipped, todo, duration_ms };
  const texts = Object.entries(lines).map(([name, value]) => `# ${name} ${value}`);
  console.log(`\n${texts.join('\n')}`);
  return success && tests > 0;
}

async function main(): Promise<boolean> {
  process.chdir(fileURLToPath(new URL('..', import.meta.url)));
  const options = {
    crash: { type: 'boolean' },
    ha: { type: 'boolean' },
    pack: { type: 'boolean' },
    rolling: { type: 'boolean' },
    sip: { type: 'boolean' },
    name: { type: 'string' },
  } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const chosen = chooseFiles(values);
  const files = findFiles(positionals.length > 0 ? positionals : chosen);
  if (files.length === 0) throw new Error('No test file matches.');
  const aborting = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => aborting.abort(new Error(`ended by ${name}`)));
  }
  process.stdout.on('error', () => aborting.abort(new Error('the reader of the output has gone')));

  if (files.some((file) => CONSOLE.test(file))) await buildOutdatedConsole();
  const started = performance.now();
  const postgres = await startTestPostgres();
  console.log(`PostgreSQL ready in ${Math.round(performance.now() - started)} ms; ${files.length} test files`);
  if (noChromium !== false && files.some((file) => BROWSER.test(file))) console.log(`Browser tests: ${noChromium}`);
  process.env['DIALPLANE_TEST_ADMIN_URL'] = postgres.adminUrl;
  process.env['DIALPLANE_TEST_TEMPLATE'] = postgres.template;
  const isQuick = chosen === USUAL || chosen === SIP;
  process.env['DIALPLANE_TEST_FILE_LIMIT_MS'] = String(isQuick ? FILE_LIMIT_MS : SLOW_FILE_LIMIT_MS);
  if (values.crash) process.env['DIALPLANE_CRASH_SIZE'] = 'full';
  // Temporary files of tests are removed with the run, also if it is aborted.
  process.env['TMPDIR'] = postgres.scratch;
  try {
    // By name, each file has a process: the name of the file's test in a batch would not match.
    const plan = values.name === undefined ? planProcesses(files) : { alone: files, batches: [], quick: [] };
    const programs = [...plan.alone, ...writeBatches(plan.batches, postgres.scratch), ...plan.quick];
    // Many of the usual files wait for programs and timers of their own.
    const concurrency = availableParallelism() + (isQuick ? 1 : 0);
    const isPassed = await runFiles(programs, { name: values.name, concurrency, signal: aborting.signal });
    return isPassed && !aborting.signal.aborted;
  } finally {
    await postgres.stop();
  }
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
