import { type CellRow, listCells } from '../../db/cells.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { findDatabaseProblem } from '../../server/lifecycle/database-error.ts';
import { type Command, type Terminal, tell } from '../command.ts';
import { useCell, withDatabase } from './install-database.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  usage: '',
  summary: 'Apply the migrations of this version without starting the server',
  description:
    'The command migrates the first database and the databases of all cells. If one cell cannot be migrated, it migrates the others, ' +
    'names that cell and ends with 1.',
  positionals: 0,
  options: [],
  run: async (_args, terminal) => {
    const outcomes: Outcome[] = [];
    const applied = await withDatabase(terminal, async (db, names) => {
      for (const cell of (await listCells(db)).filter(({ state }) => state === 'open')) {
        outcomes.push(await migrateCell(cell, terminal));
      }
      return names;
    });
    const failed = outcomes.filter((outcome) => 'error' in outcome);
    const migrated = outcomes.filter((outcome) => 'applied' in outcome);
    const cells = migrated.filter((one) => one.applied.length > 0);
    const ofCells = cells.flatMap((one) => one.applied.map((name) => `${name} in cell ${one.cell}`));
    const sentences = [...applied, ...ofCells];
    const isDone = sentences.length === 0 && failed.length === 0;
    tell(terminal, { applied, cells, failed }, isDone ? ['All migrations are applied.'] : sentences);
    for (const { cell, error } of failed) terminal.err(`Cell ${cell} is not migrated. ${error}`);
    return failed.length === 0 ? 0 : 1;
  },
};

type Migrated = { readonly cell: string; readonly applied: readonly string[] };
type Outcome = Migrated | { readonly cell: string; readonly error: string };

/** Migrates the database of a cell. Returns the names of the applied migrations, or the reason of a failure. */
async function migrateCell(cell: CellRow, terminal: Pick<Terminal, 'err'>): Promise<Outcome> {
  const { name } = cell;
  try {
    return { cell: name, applied: await useCell(cell, terminal, async (_db, applied) => applied) };
  } catch (error) {
    return { cell: name, error: problemOf(error) };
  }
}

function problemOf(error: unknown): string {
  const cause = error instanceof ApiError ? error.cause : error;
  const [problem] = findDatabaseProblem(cause) ?? [];
  if (problem !== undefined) return `Its address cannot be used: ${problem}.`;
  return reasonOf(cause);
}
