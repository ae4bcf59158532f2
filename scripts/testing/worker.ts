/**
 * A test process. It runs the files that the test command sends, one after the other, so that the product is loaded and
 * compiled once for many files. After each file it checks that the file left the process as it found it.
 */
import assert from 'node:assert/strict';
import { AsyncResource } from 'node:async_hooks';
import { flushCompileCache } from 'node:module';
import { after, mock, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { closeAll } from '../../test/support/close-after-tests.ts';
import { forgetSkips } from '../../test/support/database-time.ts';
import { forgetInFlight, forgetWaits, listInFlight } from '../../test/support/in-flight.ts';
import { followPromises } from './follow-promises.ts';
import { followRunner } from './follow-runner.ts';
import { FILE_SUITE, LAST_TEST, type Order } from './messages.ts';
import { changesSince, type ProcessState, readState, unendedWork } from './process-state.ts';

/** Errors that no test has caught. Node reports those after the end of a test when the process ends. */
const strayErrors: unknown[] = [];

/** The suites of files begin in this context, outside of any test. */
const topLevel = new AsyncResource('worker');

async function runFile({ path, isShared }: Order): Promise<void> {
  let found: ProcessState | undefined;
  let isClosed = false;
  // The tests and hooks of a file become parts of its suite, so the hooks of one file do not run for another.
  followPromises(true);
  await suite(FILE_SUITE, async () => {
    // Work that an earlier file left running must not stop the clock of this file.
    forgetInFlight();
    await forgetSkips();
    found = readState();
    try {
      await import(pathToFileURL(path).href);
    } finally {
      after(async () => {
        isClosed = true;
        await closeAll();
      });
      followPromises(false);
    }
  });
  await topLevel.runInAsyncScope(test, undefined, LAST_TEST, async () => {
    // Without a test that `--name` matches, Node runs no hooks of the file.
    if (!isClosed) await closeAll();
    forgetWaits();
    mock.reset();
    // The programs that other tests start load the compiled code. Without this it is written when this process ends.
    flushCompileCache();
    const problems = found === undefined || !isShared ? [] : await changesSince(found);
    if (isShared) problems.push(...(await unendedWork(listInFlight)).map((each) => `${each} in flight`));
    if (process.exitCode !== undefined) {
      problems.push(`the exit code is ${process.exitCode}`, ...strayErrors.map((error) => inspect(error)));
    }
    process.exitCode = undefined;
    strayErrors.length = 0;
    if (problems.length > 0) assert.fail(problems.join('\n'));
  });
}

followRunner();
for (const name of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(name, (error: unknown) => strayErrors.push(error));
}
process.on('message', (order: Order) => void runFile(order));
