import { readCellMark } from '../../db/cells.ts';
import { openDatabase } from '../../db/database.ts';
import type { ComposeOptions } from '../compose.ts';
import { StartError } from '../lifecycle/start-error.ts';

/**
 * Throws an error if the address of the first database leads to the database of a cell. Without this check, the process
 * would serve the cell's accounts at the addresses of the first database.
 * @throws StartError
 */
export async function refuseCell({
  databaseUrl: url,
  log,
}: Pick<ComposeOptions, 'databaseUrl' | 'log'>): Promise<void> {
  const db = openDatabase({ url, connectionsMax: 1, log });
  try {
    const mark = await readCellMark(db);
    if (mark !== undefined) throw isCell(mark.name);
  } finally {
    await db.close();
  }
}

/** Returns the error for a DATABASE_URL that leads to the database of a cell. */
export function isCell(name: string): StartError {
  return new StartError(
    `DATABASE_URL leads to the database of cell ${name}.`,
    `Set it to the first database of the installation, which serves cell ${name} with its own.`,
    undefined,
  );
}
