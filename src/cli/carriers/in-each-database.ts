/**
 * Runs a command's work on a connection in every database of the installation that has the connection. The connection's
 * own database comes first. Each database is done before the next one begins, so an interrupted command can be run
 * again.
 */
import { type ConnectionRow, findConnection } from '../../carriers/connections/queries.ts';
import { type CellRow, listCells } from '../../db/cells.ts';
import type { Database } from '../../db/database.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { PROGRAM } from '../../lib/program.ts';
import { type Command, CommandError, type Terminal, tell } from '../command.ts';
import { findCell, useCell, withDatabase } from '../install/install-database.ts';

/** For the help of a command that works in each database. */
export const IN_EACH_DATABASE =
  'It works in every database of the installation that has the connection, and prints the outcome of each. If one does ' +
  'not answer, the command still works in the others: run it again later. --cell is needed only if the name stands for ' +
  'different connections in several databases.';

/** The name of the cell; null for the first database. */
type CellName = string | null;
type Failed = { readonly cell: CellName; readonly reason: string };

export type Worked<Result> = {
  /** The connection, as it was before the work. */
  readonly connection: ConnectionRow;
  /** The databases with finished work. The connection was found in the first one. */
  readonly done: readonly [Done<Result>, ...Done<Result>[]];
  /** The databases that could not be read, or where the work failed. The change may be missing there. */
  readonly failed: readonly Failed[];
};
type Done<Result> = { readonly cell: CellName; readonly result: Result };

/** A database that has a connection with the name. */
type Having = { readonly cell: CellRow | null; readonly row: ConnectionRow };

/** Names the database in a sentence. */
export const nameOf = (cell: CellName) => (cell === null ? 'the first database' : `cell ${cell}`);

/**
 * Works in each database that has the connection. The connection is searched in the database of the command (`--cell`).
 * Without `--cell` it may also exist in cells only. A connection of one account is in one database.
 * @throws CommandError if there is no such connection; the error of the first database if its work fails
 */
export async function inEachDatabase<Result>(
  terminal: Terminal,
  connectionName: string,
  work: (db: Database, connection: ConnectionRow) => Promise<Result>,
): Promise<Worked<Result>> {
  return await withDatabase({ ...terminal, cell: undefined }, async (first) => {
    const use = async <T>(cell: CellRow | null, part: (db: Database) => Promise<T>): Promise<T> =>
      cell === null ? await part(first) : await useCell(cell, terminal, part);
    const named = terminal.cell === undefined ? null : await findCell(first, terminal.cell);

    const having: Having[] = [];
    const failed: Failed[] = [];
    for (const cell of [null, ...(await listCells(first)).filter(({ state }) => state === 'open')]) {
      try {
        const row = await use(cell, (db) => findConnection(db, connectionName));
        if (row !== undefined) having.push({ cell, row });
      } catch (error) {
        if (cell === null || cell.name === named?.name) throw error;
        failed.push({ cell: cell.name, reason: reasonOf(error) });
      }
    }

    const target = chooseTarget(having, { connectionName, named: terminal.cell, failed });
    const { row } = target;
    const workIn = async ({ cell, row: own }: Having): Promise<Done<Result>> => {
      const result = await use(cell, (db) => work(db, own));
      return { cell: cell?.name ?? null, result };
    };
    const done: [Done<Result>, ...Done<Result>[]] = [await workIn(target)];
    if (row.account_id !== null) return { connection: row, done, failed: [] };
    for (const other of having.filter((each) => each !== target && each.row.id === row.id)) {
      try {
        done.push(await workIn(other));
      } catch (error) {
        failed.push({ cell: other.cell?.name ?? null, reason: reasonOf(error) });
      }
    }
    return { connection: row, done, failed };
  });
}

type Wanted = {
  readonly connectionName: string;
  readonly named: string | undefined;
  readonly failed: readonly Failed[];
};

/**
 * Returns the database with the connection that the command means. Throws CommandError if there is none, or several.
 */
function chooseTarget(having: readonly Having[], { connectionName, named, failed }: Wanted): Having {
  const own = having.find(({ cell }) => cell?.name === named);
  if (own !== undefined) return own;
  const [other] = named === undefined ? having : [];
  if (other === undefined) {
    const unread = failed.map(({ cell, reason }) => ` ${capitalized(nameOf(cell))} cannot be read: ${reason}.`);
    const where = named === undefined ? '' : ` in cell ${named}`;
    throw new CommandError(
      `There is no connection ${connectionName}${where}; "${PROGRAM} carriers list --all-cells" lists them.${unread.join('')}`,
    );
  }
  if (having.every(({ row }) => row.id === other.row.id)) return other;
  const cells = having.map(({ cell }) => cell?.name).join(', ');
  throw new CommandError(`Several cells have a connection ${connectionName}: ${cells}. Add --cell NAME.`);
}

type Report<Result> = {
  /** The value for --json, without `databases`, which is added. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly sentences: readonly string[];
  /** The result in one database, for --json and in words. */
  describe(result: Result): { readonly value: Readonly<Record<string, unknown>>; readonly words: string };
};

/**
 * Prints the result, and for several databases the result in each. Names the databases that failed on standard error.
 * @returns the exit code: 1 if a database failed
 */
export function reportWorked<Result>(
  terminal: Terminal,
  { connection: { name }, done, failed }: Worked<Result>,
  { value, sentences, describe }: Report<Result>,
): number {
  const databases = [
    ...done.map(({ cell, result }) => ({ cell, ...describe(result).value })),
    ...failed.map(({ cell, reason }) => ({ cell, outcome: 'failed', reason })),
  ];
  const byDatabase = done.map(({ cell, result }) => `  ${nameOf(cell)}: ${describe(result).words}`);
  const isOne = done.length === 1 && failed.length === 0;
  tell(terminal, { ...value, databases }, [...sentences, ...(isOne ? [] : byDatabase)]);
  if (failed.length === 0) return 0;
  for (const { cell, reason } of failed) terminal.err(`${capitalized(nameOf(cell))}: not done: ${reason}`);
  terminal.err(
    `If ${name} is in such a database, it may be unchanged there. Run the command again when the database answers. ` +
      `"${PROGRAM} cells check" names a connection that differs.`,
  );
  return 1;
}

type EachCommand<Result> = Pick<Command, 'name' | 'summary'> & {
  work(db: Database, connection: ConnectionRow): Promise<Result>;
  report(worked: Worked<Result>): Report<Result>;
};

/** Defines a command that works in each database that has a connection. Its only argument is the connection's name. */
export function commandInEachDatabase<Result>({ work, report, ...named }: EachCommand<Result>): Command {
  return {
    ...named,
    usage: 'NAME',
    description: IN_EACH_DATABASE,
    positionals: 1,
    options: [],
    run: async ({ positionals: [name = ''] }, terminal) => {
      const worked = await inEachDatabase(terminal, name, work);
      return reportWorked(terminal, worked, report(worked));
    },
  };
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
