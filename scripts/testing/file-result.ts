import type { Outcome, WorkerMessage } from './messages.ts';

/** The result of a test file. */
export type FileResult = {
  path: string;
  /** True if its last test was reported: its process was not stopped, and did not crash. */
  hasEnded: boolean;
  /** The exit of the process; undefined if it ended in order. */
  exit: string | undefined;
  tests: Record<Outcome, number>;
  suites: number;
  /** Why tests were skipped, and groups of tests. */
  skips: { reason: string; isSuite: boolean }[];
  failures: string[];
  /** The names of the suites and the test that began last, from the outside in. */
  begun: readonly string[];
  output: string;
  durationMs: number;
  /** Processor time of its process, without the time of the programs that it started. */
  cpuMs: number;
  /** The files that its process ran before. */
  ranBefore: readonly string[];
};

export function newResult(path: string, ranBefore: readonly string[] = []): FileResult {
  return {
    path,
    hasEnded: false,
    exit: undefined,
    tests: { passed: 0, failed: 0, cancelled: 0, skipped: 0, todo: 0 },
    suites: 0,
    skips: [],
    failures: [],
    begun: [],
    output: '',
    durationMs: 0,
    cpuMs: 0,
    ranBefore,
  };
}

/** Adds the end of a test or suite. */
export function addTest(result: FileResult, message: Extract<WorkerMessage, { type: 'result' }>): void {
  const { isSuite, outcome, reason, failure } = message;
  if (isSuite) result.suites += 1;
  else result.tests[outcome] += 1;
  if (reason !== undefined) result.skips.push({ reason, isSuite });
  if (failure !== undefined) result.failures.push(failure);
}

export function hasPassed({ hasEnded, exit, tests, failures }: FileResult): boolean {
  return hasEnded && exit === undefined && failures.length === 0 && tests.failed === 0 && tests.cancelled === 0;
}
