import type { styleText } from 'node:util';
import { PROGRAM } from '../lib/program.ts';

/** The output of a command. */
export type Terminal = {
  /** True for `--json`: standard output gets one JSON value and nothing else. */
  readonly json: boolean;
  /** The cell whose database the command works on (`--cell`); undefined for the database of DATABASE_URL. */
  readonly cell?: string | undefined;
  readonly isInteractive: boolean;
  /** The lines that the user types; standard input by default. */
  readonly input?: NodeJS.ReadableStream;
  out(text: string): void;
  /** Writes progress and errors to standard error. */
  err(text: string): void;
  /** Asks the user whether to continue. Returns true if there is no user, as in a script. */
  confirm(question: string): Promise<boolean>;
  /** Returns text for standard output in a colour or in bold; unchanged if the output is not a terminal. */
  style(format: Parameters<typeof styleText>[0], text: string): string;
};

export type Arguments = {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | undefined>>;
  /** The values of options that can be given several times. */
  readonly lists: Readonly<Record<string, readonly string[] | undefined>>;
  /** The given options that have no value. */
  readonly flags: ReadonlySet<string>;
};

export type Command = {
  /** One or two words, as typed. */
  readonly name: string;
  /** The usage text after the command's name. The help takes the names of arguments and of option values from it. */
  readonly usage: string;
  readonly summary: string;
  /** Details about the command, for its help. */
  readonly description?: string;
  /** The number of positional words. `options` below are the known options with a value. */
  readonly positionals: number;
  /** True if one more word may follow. */
  readonly optionalPositional?: true;
  readonly options: readonly string[];
  /** Known options with a value that may be given several times. */
  readonly repeatable?: readonly string[];
  /** Known options without a value. */
  readonly flags?: readonly string[];
  /** The meanings of options and flags, by name, for the help. */
  readonly meanings?: Readonly<Record<string, string>>;
  /** The names of option values in the help, for options that the usage does not show. */
  readonly values?: Readonly<Record<string, string>>;
  /** Returns the words that completion offers for the first argument. */
  suggest?(): readonly { readonly word: string; readonly meaning?: string | undefined }[];
  /** Whole command lines for the help, each with the program's name. */
  readonly examples?: readonly string[];
  /** Returns the exit code. */
  run(args: Arguments, terminal: Terminal): Promise<number>;
};

/** An invalid command line: exit code 2, with the usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A valid command that failed: exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Returns an option's value. Throws UsageError if it is missing. */
export function required(args: Arguments, option: string): string {
  const value = args.options[option];
  if (value === undefined) throw new UsageError(`--${option} is missing`);
  return value;
}

/** Makes the error for an unknown account id. */
export function noAccount(id: string): CommandError {
  return new CommandError(`There is no account ${id}; "${PROGRAM} accounts list" lists them.`);
}

/** Prints a result as sentences, or its value with --json. */
export function tell(terminal: Terminal, value: unknown, sentences: readonly string[]): void {
  for (const text of terminal.json ? [JSON.stringify(value)] : sentences) terminal.out(text);
}

/** Prints rows as a table of the columns, or as JSON. */
export function show(
  terminal: Terminal,
  rows: readonly Readonly<Record<string, unknown>>[],
  columns: readonly string[],
): void {
  if (terminal.json) {
    terminal.out(JSON.stringify(rows));
    return;
  }
  const cells = [columns, ...rows.map((row) => columns.map((column) => cell(row[column])))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  for (const [index, line] of cells.entries()) {
    const text = line
      .map((cell, column) => cell.padEnd(widths[column] as number))
      .join('  ')
      .trimEnd();
    terminal.out(index === 0 ? terminal.style('bold', text) : text);
  }
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return value instanceof Date ? value.toISOString() : String(value);
}
