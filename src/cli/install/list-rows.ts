import { listCells } from '../../db/cells.ts';
import type { Db } from '../../db/database.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { type Arguments, show, type Terminal, UsageError } from '../command.ts';
import { useCell, withDatabase } from './install-database.ts';

/** The definition of the flag `--all-cells`, for commands that list rows for operators. */
export const OVER_CELLS = {
  flags: ['all-cells'],
  meanings: { 'all-cells': 'List the rows of all cells too, with the name of the cell of each' },
};

type Row = Readonly<Record<string, unknown>>;

type Listing = {
  readonly columns: readonly string[];
  read(db: Db): Promise<readonly Row[]>;
};

/**
 * Prints the rows of a database as a table. With `--all-cells` it prints the rows of all databases, with the name of
 * the cell. If a cell cannot be read, its name goes to standard error.
 * @returns the exit code: 1 if rows are missing
 */
export async function listRows({ flags }: Arguments, terminal: Terminal, { columns, read }: Listing): Promise<number> {
  if (!flags.has('all-cells')) {
    show(terminal, await withDatabase(terminal, read), columns);
    return 0;
  }
  if (terminal.cell !== undefined) throw new UsageError('--all-cells lists the rows of every cell: leave --cell out');
  const missing: string[] = [];
  const rows = await withDatabase(terminal, async (db) => {
    const found = (await read(db)).map((row): Row => ({ cell: null, ...row }));
    for (const cell of (await listCells(db)).filter(({ state }) => state === 'open')) {
      try {
        const inCell = await useCell(cell, terminal, read);
        found.push(...inCell.map((row) => ({ cell: cell.name, ...row })));
      } catch (error) {
        missing.push(`The rows of cell ${cell.name} are missing: ${reasonOf(error)}`);
      }
    }
    return found;
  });
  show(terminal, rows, ['cell', ...columns]);
  for (const sentence of missing) terminal.err(sentence);
  return missing.length === 0 ? 0 : 1;
}
