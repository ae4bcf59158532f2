import type { Product } from '../compose.ts';
import type { Cell } from './cell.ts';
import type { KeyPlace } from './key-routes.ts';

/** The address that a carrier reports to, after the name of the cell. */
const REPORTS_PATH = /^\/carrier\/[^/?]+\/([^/?]+)/;

type Connections = Pick<Product['connections'], 'find' | 'isRead'>;
type Places = {
  readonly first: { readonly connections: Connections };
  readonly cells: { list(): readonly Cell[] };
};

/**
 * Finds the database that has the carrier connection which an address names. The cell in the address does not count: a
 * connection moves with its account, and its carrier still reports to the old address. During a move both databases
 * have the connection, disabled, and refuse its reports. Of the databases that have a connection of all accounts, the
 * first is found: it gives each report to the database of its object. `unknown`: no open database has it, and at least
 * one has not been read.
 * @returns undefined for other addresses, and for a connection that no database has
 */
export function findConnectionPlace({ first, cells }: Places, url: string): KeyPlace | undefined {
  const [, id] = REPORTS_PATH.exec(url) ?? [];
  if (id === undefined) return undefined;
  const all: readonly { place: Cell | 'first'; connections: Connections | undefined }[] = [
    { place: 'first', connections: first.connections },
    ...cells.list().map((cell) => ({ place: cell, connections: cell.product?.connections })),
  ];
  const having = all.flatMap(({ place, connections }) => {
    const status = connections?.find(id)?.status;
    return status === undefined ? [] : [{ place, status }];
  });
  const found = having.find(({ status }) => status !== 'disabled') ?? having[0];
  if (found !== undefined) return found.place;
  return all.every(({ connections }) => connections?.isRead() === true) ? undefined : 'unknown';
}
