import { relative, resolve } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

type Named = { name: string; nesting: number; file?: string; entryFile?: string };

/** One test file while it runs. */
type FileReport = {
  /** The names of the suites and the test that the runner reports now, from the outside in. */
  path: string[];
  tests: number;
  skipped: number;
  failures: string[];
  output: string;
};

/** Why a suite failed when one of its tests did: that test is reported itself. */
const CAUSED_BY_A_TEST = new Set(['subtestsFailed', 'cancelledByParent']);

/**
 * Turns the events of a test run into text: one line for each file when it has ended, and below the line of a file that
 * failed each failure in full and what the file printed.
 */
export async function* reportFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const reports = new Map<string, FileReport>();
  const reportOf = ({ file = '', entryFile = file }: { file?: string | undefined; entryFile?: string }) => {
    const known = reports.get(entryFile);
    const report = known ?? { path: [], tests: 0, skipped: 0, failures: [], output: '' };
    if (known === undefined) reports.set(entryFile, report);
    return report;
  };
  for await (const { type, data } of events) {
    switch (type) {
      case 'test:start':
        reportOf(data).path.splice(data.nesting, Infinity, data.name);
        break;
      case 'test:pass':
        if (data.details.type !== 'suite' && !isFile(data)) countTest(reportOf(data), data.skip !== undefined);
        break;
      case 'test:fail':
        if (!isFile(data)) addFailure(reportOf(data), data);
        // A file that was killed, or threw at load, has no summary.
        else yield describeFile(data.name, reportOf(data), { success: false, duration_ms: data.details.duration_ms });
        break;
      case 'test:stdout':
      case 'test:stderr':
        reportOf(data).output += data.message;
        break;
      case 'test:summary':
        if (data.file !== undefined) yield describeFile(data.file, reportOf(data), data);
    }
  }
}

/** The runner reports each file as a test whose name is the path that it was given. */
function isFile({ name, file, nesting }: Named): boolean {
  return nesting === 0 && resolve(name) === file;
}

function countTest(report: FileReport, isSkipped: boolean): void {
  report.tests += 1;
  if (isSkipped) report.skipped += 1;
}

function addFailure(
  report: FileReport,
  data: Named & { line?: number; details: { type?: string; error: Error } },
): void {
  if (data.details.type !== 'suite') report.tests += 1;
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
  const line = `${success ? 'ok    ' : 'FAILED'}  ${relative('.', file)} (${count}, ${seconds} s)\n`;
  if (success) return line;
  // A file that ended before its first test, or was killed, has only its output to tell why.
  return [line, ...failures.map((failure) => `${failure}\n`), output === '' ? '' : indent(output)].join('');
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, '    ');
}
