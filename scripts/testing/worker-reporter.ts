/** Node loads this as the test reporter of a worker. It turns the events of tests into messages to the test command. */
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { FILE_SUITE, LAST_TEST, OUTPUT_END, type Outcome, type WorkerMessage } from './messages.ts';

type Ended = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>['data'];
type NodeTestError = Error & { failureType?: string };

/** The failure types of a suite whose test failed: that test is reported itself. */
const CAUSED_BY_A_TEST = new Set(['subtestsFailed', 'cancelledByParent']);
const CANCELLED = new Set(['cancelledByParent', 'testTimeoutFailure', 'testAborted']);

// biome-ignore lint/style/noDefaultExport: Node takes the default export of a reporter.
export default async function* sendEvents(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  // The names of the test that is reported now and of its suites, from the outside in. `begun` has the same of the
  // latest test to begin.
  const reported: string[] = [];
  const begun: string[] = [];
  let cpuBefore = process.cpuUsage();
  for await (const { type, data } of events) {
    if (type === 'test:dequeue') {
      begun.splice(data.nesting, Infinity, data.name);
      if (data.nesting > 0) send({ type: 'began', path: begun.slice(1) });
    }
    if (type === 'test:start') reported.splice(data.nesting, Infinity, data.name);
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const isOurs = data.nesting === 0;
    const failure = describeFailure(data, reported);
    if (!isOurs || failure !== undefined) sendResult(data, isOurs, failure);
    if (!isOurs || data.name !== LAST_TEST) continue;
    for (const output of [process.stdout, process.stderr]) output.write(OUTPUT_END);
    const { user, system } = process.cpuUsage(cpuBefore);
    cpuBefore = process.cpuUsage();
    send({ type: 'ended', cpuMs: Math.round((user + system) / 1000) });
  }
  // A reporter yields text for the output. All text is made by the test command.
  yield '';
}

function send(message: WorkerMessage): void {
  process.send?.(message);
}

function sendResult(data: Ended, isOurs: boolean, failure: string | undefined): void {
  const { skip, todo } = data;
  send({
    type: 'result',
    // A file that fails outside its tests counts as one more test.
    isSuite: data.details.type === 'suite' && !isOurs,
    outcome: outcomeOf(data),
    ...(typeof skip === 'string' && { reason: skip }),
    ...(failure !== undefined && todo === undefined && { failure }),
  });
}

function outcomeOf({ skip, todo, details }: Ended): Outcome {
  if (skip !== undefined) return 'skipped';
  if (todo !== undefined) return 'todo';
  if (!('error' in details)) return 'passed';
  return CANCELLED.has((details.error as NodeTestError).failureType ?? '') ? 'cancelled' : 'failed';
}

/** The most lines of an error with a long difference. */
const LINES_MAX = 200;

/**
 * Returns the lines about a failure: the path of the test, its place and the error with the expected and the actual
 * value.
 */
function describeFailure({ name, nesting, line, details }: Ended, reported: readonly string[]): string | undefined {
  if (!('error' in details)) return undefined;
  const error = details.error as NodeTestError;
  if (CAUSED_BY_A_TEST.has(error.failureType ?? '')) return undefined;
  const path = [...reported.slice(1, nesting), name === FILE_SUITE ? 'the file itself' : name];
  const why = inspect(error.cause ?? error, { colors: process.argv.includes('--colors'), breakLength: 120 });
  const lines = why.split('\n').map((each) => `  ${each}`.trimEnd());
  const more = lines.length > LINES_MAX ? [`  … ${lines.length - LINES_MAX} more lines`] : [];
  const place = nesting > 0 ? ` (line ${line})` : '';
  return [`✖ ${path.join(' > ')}${place}`, ...lines.slice(0, LINES_MAX), ...more].join('\n');
}
