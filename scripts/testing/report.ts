import { relative, resolve } from 'node:path';
import { INSTALLED_BY, type Program, reasonFor } from '../../test/support/programs.ts';
import { type FileResult, hasPassed } from './file-result.ts';
import type { Outcome } from './messages.ts';

/** How the line of a file that failed begins. */
const FAILED = 'FAILED';

/**
 * The report repeats each failure at its end, because a log may lose its beginning. It repeats this many lines of the
 * message, and places in our files. If the process of the file ended, it also repeats the last lines that the process
 * printed.
 */
const REPEATED = { messageLines: 8, places: 3, outputLines: 8, columns: 200 };

/** Files that its process ran before, and that the report of a failure names. */
const NAMED_FILES = 5;

/** Files that print figures. */
const MEASURES = /\.(cells|crash|ha|rolling)\.ts$/;

/**
 * Returns the line of a file. If the file failed, each failure follows in full, then its output, and the end of its
 * process.
 */
export function describeFile(result: FileResult): string {
  const { path, failures, output } = result;
  const line = lineOf(result);
  if (hasPassed(result)) return MEASURES.test(path) ? `${line}${indent(output, 4)}` : line;
  return [line, ...failures.map((failure) => `${indent(failure, 2)}\n\n`), indent(output, 4), describeEnd(result)].join(
    '',
  );
}

function lineOf(result: FileResult): string {
  const { path, tests, durationMs } = result;
  const count = Object.values(tests).reduce((sum, each) => sum + each, 0);
  const counts = `${plural(count, 'test')}${tests.skipped > 0 ? `, ${tests.skipped} skipped` : ''}`;
  const seconds = (durationMs / 1000).toFixed(1);
  return `${hasPassed(result) ? 'ok    ' : FAILED}  ${relative('.', resolve(path))} (${counts}, ${seconds} s)\n`;
}

/** Returns the facts about the process of a failed file that the reader needs. */
function describeEnd({ hasEnded, exit, begun, failures, ranBefore }: FileResult): string {
  const lines: string[] = [];
  if (!hasEnded) lines.push(`its process ended before its last test: ${exit ?? 'exit code 0'}`);
  else if (failures.length === 0) lines.push(`its process ended after its tests: ${exit}`);
  // If a test hangs, it is the test that began last.
  if (!hasEnded && begun.length > 0) lines.push(`began last: ${begun.join(' > ')}`);
  if (ranBefore.length > 0) {
    const more = ranBefore.length > NAMED_FILES ? `${ranBefore.length - NAMED_FILES} files and ` : '';
    lines.push(`its process ran before: ${more}${ranBefore.slice(-NAMED_FILES).join(', ')}`);
  }
  return lines.map((each) => `    ${each}\n`).join('');
}

/**
 * Returns the end of the report, where a reader of a long log looks: the tests that were skipped because a program is
 * missing; the counts; and each failure in short. With `name`, the pattern of `--name`, it says if no test matches the
 * pattern.
 */
export function describeRun(results: readonly FileResult[], durationMs: number, name?: string): string {
  const failed = results.filter((result) => !hasPassed(result)).map((result) => describeShort(result));
  const parts = [
    ...describeMissing(results),
    describeCounts(results, durationMs),
    ...(name !== undefined && results.every(hasNoTest)
      ? [`No test has a name that matches ${JSON.stringify(name)}.`]
      : []),
    ...(failed.length > 0 ? [`Failed in this run:\n${failed.join('')}`.trimEnd()] : []),
  ];
  return `\n${parts.join('\n\n')}\n`;
}

function hasNoTest({ tests }: FileResult): boolean {
  return Object.values(tests).every((count) => count === 0);
}

/** Returns the line of a file that failed, and the start of each failure. */
function describeShort(result: FileResult): string {
  const { failures, output, hasEnded } = result;
  const printed = hasEnded && failures.length > 0 ? '' : lastLines(output, REPEATED.outputLines);
  return [lineOf(result), ...failures.map((failure) => indent(shorten(failure), 2)), printed, describeEnd(result)].join(
    '',
  );
}

/** Returns the message of a failure, and where in our files it happened, in few lines. */
function shorten(failure: string): string {
  const lines = failure.split('\n').map((line) => line.slice(0, REPEATED.columns));
  const isPlace = (line: string) => /^\s+at /.test(line);
  const end = lines.findIndex(isPlace);
  const message = lines.slice(0, end < 0 ? lines.length : end).filter((line) => line.trim() !== '');
  const places = lines.filter((line) => isPlace(line) && line.includes('file:') && !line.includes('/node_modules/'));
  const cut = message.length > REPEATED.messageLines ? ['    […]'] : [];
  const kept = [...message.slice(0, REPEATED.messageLines), ...cut, ...places.slice(0, REPEATED.places)];
  return `${kept.join('\n')}\n`;
}

function lastLines(text: string, count: number): string {
  const lines = text.trimEnd().split('\n').slice(-count);
  return text.trim() === '' ? '' : `${indent(lines.map((line) => line.slice(0, REPEATED.columns)).join('\n'), 4)}\n`;
}

/** Returns a line for each missing program: the skipped tests, and how to get the program. */
function describeMissing(results: readonly FileResult[]): string[] {
  const lines = Object.entries(INSTALLED_BY).flatMap(([program, command]) => {
    const reason = reasonFor(program as Program);
    const files = results
      .map(({ skips }) => skips.filter((skip) => skip.reason === reason))
      .filter((skips) => skips.length > 0);
    if (files.length === 0) return [];
    const groups = files.flat().filter(({ isSuite }) => isSuite).length;
    const tests = files.flat().length - groups;
    const counts = [...(tests > 0 ? [plural(tests, 'test')] : []), ...(groups > 0 ? [plural(groups, 'group')] : [])];
    return [`${program} is missing: skipped ${counts.join(' and ')} in ${plural(files.length, 'file')}; ${command}`];
  });
  return lines.length > 0 ? [lines.join('\n')] : [];
}

/** Returns the counts in the form of Node's own test command. */
function describeCounts(results: readonly FileResult[], durationMs: number): string {
  const sum = (outcome: Outcome) => results.reduce((total, { tests }) => total + tests[outcome], 0);
  const [pass, fail, cancelled, skipped, todo] = (['passed', 'failed', 'cancelled', 'skipped', 'todo'] as const).map(
    sum,
  ) as [number, number, number, number, number];
  const tests = pass + fail + cancelled + skipped + todo;
  const suites = results.reduce((total, each) => total + each.suites, 0);
  const failedFiles = results.filter((result) => !hasPassed(result)).length;
  const lines = {
    tests,
    suites,
    pass,
    fail,
    cancelled,
    skipped,
    todo,
    files: results.length,
    'failed files': failedFiles,
    duration_ms: Math.round(durationMs),
  };
  return Object.entries(lines)
    .map(([name, value]) => `# ${name} ${value}`)
    .join('\n');
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function indent(text: string, by: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(by));
}
