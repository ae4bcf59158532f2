import { relative, resolve } from 'node:path';
import { INSTALLED_BY, type Program, reasonFor } from '../../test/support/programs.ts';
import { type FileResult, hasPassed } from './file-result.ts';
import type { Outcome } from './messages.ts';

/** How the line of a file that failed begins. */
const FAILED = 'FAILED';

/** Lines of a file that failed which the end of the report repeats. */
const REPEATED_LINES = 30;

/** Files that its process ran before, and that the report of a failure names. */
const NAMED_FILES = 5;

/** Files that print figures. */
const MEASURES = /\.(crash|ha)\.ts$/;

/**
 * Returns the line of a file. If the file failed, each failure follows in full, then what it printed, and what happened
 * to its process.
 */
export function describeFile(result: FileResult): string {
  const { path, tests, failures, output, durationMs } = result;
  const passed = hasPassed(result);
  const count = Object.values(tests).reduce((sum, each) => sum + each, 0);
  const counts = `${count} test${count === 1 ? '' : 's'}${tests.skipped > 0 ? `, ${tests.skipped} skipped` : ''}`;
  const seconds = (durationMs / 1000).toFixed(1);
  const line = `${passed ? 'ok    ' : FAILED}  ${relative('.', resolve(path))} (${counts}, ${seconds} s)\n`;
  if (passed) return MEASURES.test(path) ? `${line}${indent(output, 4)}` : line;
  return [line, ...failures.map((failure) => `${indent(failure, 2)}\n\n`), indent(output, 4), describeEnd(result)].join(
    '',
  );
}

/** Returns what the reader needs to know of the process of a file that failed. */
function describeEnd({ hasEnded, exit, begun, failures, ranBefore }: FileResult): string {
  const lines: string[] = [];
  if (!hasEnded) lines.push(`its process ended before its last test: ${exit ?? 'exit code 0'}`);
  else if (failures.length === 0) lines.push(`its process ended after its tests: ${exit}`);
  // A test that hangs is the one that began last.
  if (!hasEnded && begun.length > 0) lines.push(`began last: ${begun.join(' > ')}`);
  if (ranBefore.length > 0) {
    const more = ranBefore.length > NAMED_FILES ? `${ranBefore.length - NAMED_FILES} files and ` : '';
    lines.push(`its process ran before: ${more}${ranBefore.slice(-NAMED_FILES).join(', ')}`);
  }
  return lines.map((each) => `    ${each}\n`).join('');
}

/**
 * Returns the end of the report: the start of what was said of each file that failed, as a reader of a long log looks
 * there; what was not tested because a program is missing; and the counts.
 */
export function describeRun(results: readonly FileResult[], durationMs: number): string {
  const failed = results.filter((result) => !hasPassed(result)).map((result) => describeFile(result));
  const repeated = failed.map((text) => text.split('\n').slice(0, REPEATED_LINES).join('\n').trimEnd());
  const parts = [
    ...(failed.length > 0 ? [`Failed in this run:\n${repeated.join('\n')}`] : []),
    ...describeMissing(results),
    describeCounts(results, durationMs),
  ];
  return `\n${parts.join('\n\n')}\n`;
}

/** Returns a line for each program that is missing: what was skipped, and how to get it. */
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
