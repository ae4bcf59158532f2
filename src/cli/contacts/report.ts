/** The result of each line of an imported file. */
import { reasonOf } from '../../lib/errors/reason.ts';
import { printable } from '../api/show-reply.ts';
import type { Terminal } from '../command.ts';

const RESULTS = ['created', 'updated', 'unchanged', 'refused'] as const;

export type Line = {
  readonly line: number;
  /** Null if the line has no name. */
  readonly name: string | null;
  readonly result: (typeof RESULTS)[number];
  readonly contact_id: string | null;
  /** The fields that were changed. */
  readonly changed: readonly string[];
  readonly error: { readonly code: string; readonly message: string } | null;
};

export type Report = {
  /** Records columns that the import ignores. */
  unused(columns: readonly string[]): void;
  add(line: Line): void;
  /** Ends the report. `error` is the error that ended the import early. @returns the number of refused lines */
  end(error?: unknown): number;
};

/** Writes each line immediately, so the report needs no memory. With --json the lines are parts of one JSON value. */
export function openReport(terminal: Terminal, tenantId: string): Report {
  const counts = { created: 0, updated: 0, unchanged: 0, refused: 0 };
  let unusedColumns: readonly string[] = [];
  let lines = 0;
  if (terminal.json) terminal.out(`{"tenant_id": ${JSON.stringify(tenantId)}, "lines": [`);
  return {
    unused: (columns) => {
      unusedColumns = columns;
    },
    add: (line) => {
      counts[line.result] += 1;
      terminal.out(terminal.json ? `${lines === 0 ? '' : ','}${JSON.stringify(line)}` : textOf(line));
      lines += 1;
    },
    end: (error) => {
      const stopped = error === undefined ? null : reasonOf(error);
      if (terminal.json) {
        terminal.out(`], ${JSON.stringify({ ...counts, unused_columns: unusedColumns, stopped }).slice(1)}`);
        return counts.refused;
      }
      if (unusedColumns.length > 0)
        terminal.err(`Not imported: the columns ${unusedColumns.map(printable).join(', ')}.`);
      terminal.out(`${lines} lines: ${RESULTS.map((result) => `${counts[result]} ${result}`).join(', ')}.`);
      if (stopped !== null)
        terminal.err(
          lines === 0 ? 'Nothing was imported.' : 'The import has stopped. Run it again: what is done stays as it is.',
        );
      return counts.refused;
    },
  };
}

function textOf({ line, name, result, contact_id, changed, error }: Line): string {
  const what = error === null ? `${contact_id}  ${name}` : `${name === null ? '' : `${name}: `}${error.message}`;
  const fields = changed.length === 0 ? '' : ` (${changed.join(', ')})`;
  return printable(`line ${line}  ${result.padEnd(9)}  ${what}${fields}`);
}
