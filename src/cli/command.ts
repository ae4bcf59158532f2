/** Where a command writes, and how. */
export type Terminal = {
  /** True for `--json`: one JSON value on standard output and nothing else there. */
  readonly json: boolean;
  readonly isInteractive: boolean;
  out(text: string): void;
  /** What takes time, and what went wrong. */
  err(text: string): void;
};

export type Arguments = {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | undefined>>;
};

export type Command = {
  /** One or two words, as typed. */
  readonly name: string;
  /** What follows the name. */
  readonly usage: string;
  readonly summary: string;
  /** How many words it takes, and the options (all take a value) it knows. */
  readonly positionals: number;
  readonly options: readonly string[];
  /** Returns the exit code. */
  run(args: Arguments, terminal: Terminal): Promise<number>;
};

/** The command line cannot be understood: exit code 2, with the usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command was understood and cannot be done: exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** The option's value; a UsageError without it. */
export function required(args: Arguments, option: string): string {
  const value = args.options[option];
  if (value === undefined) throw new UsageError(`--${option} is missing`);
  return value;
}

/** For an id that no account has. */
export function noAccount(id: string): CommandError {
  return new CommandError(`There is no account ${id}; "dialplane accounts list" has all.`);
}

/** Says what was done: in sentences, or with --json as the value itself. */
export function tell(terminal: Terminal, value: unknown, sentences: readonly string[]): void {
  for (const text of terminal.json ? [JSON.stringify(value)] : sentences) terminal.out(text);
}

/** Shows rows as a table of the columns, or as JSON. */
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
  for (const line of cells) {
    terminal.out(
      line
        .map((text, index) => text.padEnd(widths[index] as number))
        .join('  ')
        .trimEnd(),
    );
  }
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return value instanceof Date ? value.toISOString() : String(value);
}
