import type { Product } from '../compose.ts';
import type { Cell } from './cell.ts';
import type { KeyPlace } from './key-routes.ts';

/** Matches the address that a carrier reports to. A cell's name is already removed. */
const REPORTS_PATH = /^\/carrier\/[^/?]+\/([^/?]+)/;

type Connections = Pick<Product['connections'], 'find' | 'isRead'>;
type Places = {
  readonly first: { readonly connections: Connections };
  readonly cells: { list(): readonly Cell[] };
};

/**
 * Finds the database that has the carrier connection in an address. The cell in the address does not matter: a
 * connection moves with its account, and its carrier still reports to the old address. During a move both databases
 * have the connection, disabled, and refuse its reports. If several databases have a connection for all accounts, the
 * first one is returned. It passes each report on to the database of the report's object. `unknown`: no open database
 * has the connection, and at least one has not been read.
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
