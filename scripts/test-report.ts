import { relative, resolve } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { BATCH_RUNNER } from './test-batch.ts';

type Named = { name: string; nesting: number; file?: string; entryFile?: string };

/** One test file, or one process of several, while it runs. */
type FileReport = {
  isBatch: boolean;
  /** The names of the suites and the test that the runner reports now, from the outside in. */
  path: string[];
  /** The same of the test that began last. It is reported when it has ended. */
  begun: string[];
  tests: number;
  skipped: number;
  failures: string[];
  output: string;
};

/** Why a suite failed when one of its tests did: that test is reported itself. */
const CAUSED_BY_A_TEST = new Set(['subtestsFailed', 'cancelledByParent']);

/** How the line of a file that failed begins. */
const FAILED = 'FAILED';

/** Lines of a file that failed which the end of the report repeats. */
const REPEATED_LINES = 30;

/**
 * Turns the events of a test run into text: one line for each file when it has ended, and below the line of a file that
 * failed each failure in full and what the file printed. The end repeats the start of what was said of each file that
 * failed: a reader of a long log looks there.
 */
export async function* reportFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const failed: string[] = [];
  for await (const text of reportEach(events)) {
    yield text;
    if (text.startsWith(FAILED)) failed.push(text.split('\n').slice(0, REPEATED_LINES).join('\n').trimEnd());
  }
  if (failed.length > 0) yield `\nFailed in this run:\n${failed.join('\n')}\n`;
}

async function* reportEach(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const startedAt = performance.now();
  const reports = new Map<string, FileReport>();
  const ended = new Set<string>();
  const reportOf = ({ file = '', entryFile = file }: { file?: string | undefined; entryFile?: string }) => {
    const known = reports.get(entryFile);
    const report = known ?? emptyReport();
    if (known === undefined) reports.set(entryFile, report);
    return report;
  };
  for await (const { type, data } of events) {
    switch (type) {
      case 'test:dequeue':
        if (!isFile(data)) reportOf(data).begun.splice(data.nesting, Infinity, data.name);
        break;
      case 'test:start':
        reportOf(data).path.splice(data.nesting, Infinity, data.name);
        break;
      case 'test:pass':
        if (isBatched(data)) yield endBatched(reportOf(data), data.name, { success: true, ...data.details });
        else if (data.details.type !== 'suite' && !isFile(data)) countTest(reportOf(data), data.skip !== undefined);
        break;
      case 'test:fail':
        if (!isFile(data) || isHook(data)) addFailure(reportOf(data), data);
        if (isBatched(data)) yield endBatched(reportOf(data), data.name, { success: false, ...data.details });
        // A file that was killed, or threw at load, has no summary.
        else if (isFile(data)) yield describeKilled(data.name, reportOf(data), data.details);
        if (isFile(data)) ended.add(resolve(data.name));
        break;
      case 'test:stdout':
      case 'test:stderr':
        reportOf(data).output += data.message;
        break;
      case 'test:summary':
        if (data.file === undefined) break;
        yield endProcess(data.file, reportOf(data), data);
        ended.add(data.file);
    }
  }
  // The runner reports no end of a process that was killed after one of its tests had failed.
  const killed = { duration_ms: performance.now() - startedAt };
  for (const [file, report] of reports) if (file !== '' && !ended.has(file)) yield describeKilled(file, report, killed);
}

/** Files that print figures. */
const MEASURES = /\.(crash|ha)\.ts$/;

/** The runner reports each file as a test whose name is the path that it was given. */
function isFile({ name, file, nesting }: Named): boolean {
  return nesting === 0 && resolve(name) === file;
}

/** A hook of a file that failed after its tests is a failure of the file itself. */
function isHook({ details }: { details: { error: Error } }): boolean {
  return (details.error as { failureType?: string }).failureType === 'hookFailed';
}

/** A file that shares a process is a test of that process. */
export function isBatched({ file, nesting }: Pick<Named, 'file' | 'nesting'>): boolean {
  return nesting === 0 && file === BATCH_RUNNER;
}

/** Returns the lines of a file that shares a process, and empties the report for the next file. */
function endBatched(report: FileReport, file: string, result: { success: boolean; duration_ms: number }): string {
  // What the process prints arrives apart from the results of its tests.
  const { output } = report;
  const text = describeFile(file, { ...report, output: '' }, result);
  Object.assign(report, emptyReport(), { isBatch: true, output });
  return text;
}

/** Returns the lines of a process that ended: those of its file, or what a batch printed if one of its files failed. */
function endProcess(file: string, report: FileReport, result: { success: boolean; duration_ms: number }): string {
  if (!report.isBatch) return describeFile(file, report, result);
  if (result.success || report.output === '') return '';
  return `printed by the process of the last files that failed:\n${indent(report.output)}`;
}

/** Returns the lines of a process that has no end of its own: it was killed, or threw at load. */
function describeKilled(file: string, report: FileReport, result: { duration_ms: number }): string {
  const lines = describeFile(file, report, { success: false, ...result });
  // A test that hangs is the one that began last.
  return report.begun.length === 0 ? lines : `${lines}    began last: ${report.begun.join(' > ')}\n`;
}

function emptyReport(): FileReport {
  return { isBatch: false, path: [], begun: [], tests: 0, skipped: 0, failures: [], output: '' };
}

function countTest(report: FileReport, isSkipped: boolean): void {
  report.tests += 1;
  if (isSkipped) report.skipped += 1;
}

function addFailure(
  report: FileReport,
  data: Named & { line?: number; details: { type?: string; error: Error } },
): void {
  if (data.details.type !== 'suite' && !isBatched(data)) report.tests += 1;
  const { error } = data.details;
  if (CAUSED_BY_A_TEST.has((error as { failureType?: string }).failureType ?? '')) return;
  const path = [...report.path.slice(0, data.nesting), data.name].join(' > ');
  const why = inspect(error.cause ?? error, { colors: process.stdout.isTTY, breakLength: 120 });
  report.failures.push(`  ✖ ${path} (line ${data.line})\n${indent(why)}`);
}

function describeFile(
  file: string,
  { tests, skipped, failures, output }: FileReport,
  { success, duration_ms }: { success: boolean; duration_ms: number },
): string {
  const count = `${tests} test${tests === 1 ? '' : 's'}${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  const seconds = (duration_ms / 1000).toFixed(1);
  const line = `${success ? 'ok    ' : FAILED}  ${relative('.', resolve(file))} (${count}, ${seconds} s)\n`;
  if (success) return MEASURES.test(file) ? `${line}${indent(output)}` : line;
  // A file that ended before its first test, or was killed, has only its output to tell why.
  return [line, ...failures.map((failure) => `${failure}\n`), output === '' ? '' : indent(output)].join('');
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '    ');
}
