/** Names of cells, paths of cells, and the range of ledger ids that each cell has. */

/** The cell that has a ledger of this id: 0 is the database of DATABASE_URL. */
export function cellNumberOf(ledgerId: number): number {
  return Math.floor(ledgerId / LEDGERS_MAX);
}

/** The most ledgers of a cell. */
const LEDGERS_MAX = 2 ** 24;

/** Returns the first id of a ledger in a cell. */
export function firstLedgerId(cellNumber: number): number {
  return cellNumber * LEDGERS_MAX;
}

/** The cells and the database of DATABASE_URL together use all positive integers of PostgreSQL as ledger ids. */
export const CELLS_MAX = 127;

export const CELL_NAME = /^[a-z][a-z0-9-]{0,31}$/;

/** Returns the path before every path of a cell. */
export function cellPath(name: string): string {
  return `/cells/${name}`;
}

/** Returns the prefix of a cell's audio paths. A proxy uses it to route to the cell's gateways. */
export function cellAudioPath(name: string): string {
  return `/cell-audio/${name}`;
}

/**
 * Reads the cell that a URL names.
 * @returns the name of the cell and the URL within it; undefined for a URL that names no cell
 */
export function readCellPath(url: string): { name: string; rest: string } | undefined {
  if (!url.startsWith('/cell')) return undefined;
  const [, name, rest = ''] = /^\/cell(?:s|-audio)\/([a-z][a-z0-9-]{0,31})(\/.*|\?.*)?$/s.exec(url) ?? [];
  return name === undefined ? undefined : { name, rest: rest.startsWith('/') ? rest : `/${rest}` };
}

/**
 * Returns the public address of a cell, from the address of the installation or of another of its cells.
 * @param name empty for the first database
 */
export function addressInCell(publicUrl: string, name: string): string {
  return publicUrl.replace(/\/cells\/[a-z][a-z0-9-]{0,31}$/, '') + (name === '' ? '' : cellPath(name));
}
