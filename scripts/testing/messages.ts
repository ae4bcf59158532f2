/** The file that a worker must run. `isShared` is false if the worker ends after it. */
export type Order = { path: string; isShared: boolean };

/** How a test or a suite ended. */
export type Outcome = 'passed' | 'failed' | 'cancelled' | 'skipped' | 'todo';

/** A message of a worker about its file: a test began, a test or suite ended, or the file ended. */
export type WorkerMessage =
  | { type: 'began'; path: string[] }
  | { type: 'result'; isSuite: boolean; outcome: Outcome; reason?: string; failure?: string }
  | { type: 'ended'; cpuMs: number };

/**
 * The suite around the tests of a file. No pattern of `--name` matches it, because the pattern would then match all its
 * tests too.
 */
export const FILE_SUITE = '\u0001';
/** The test after the tests of a file. */
export const LAST_TEST = 'the file leaves its process as it found it';

/**
 * A worker writes this to both outputs when a file has ended, because the outputs do not arrive together with the
 * messages.
 */
export const OUTPUT_END = '\u0001end of file\u0001';
