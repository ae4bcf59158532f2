import type { Sharer, Sharers } from '../../carriers/inbox/sharers.ts';
import type { Database } from '../../db/database.ts';
import type { Product } from '../compose.ts';
import type { CellSet } from './cell-set.ts';

type Places = {
  /** The product on the first database; undefined before it is made. */
  readonly first: Pick<Product, 'context' | 'connections'> | undefined;
  /** Undefined before they are made. */
  readonly cells: Pick<CellSet, 'list'> | undefined;
};

/**
 * Returns a function that finds, for a connection of a database, the other databases that have it too. A connection for
 * one account is never shared, although two databases have it while the account moves.
 */
export function sharersByPlace(places: Places): (own: Database) => Sharers {
  const products = () => [places.first, ...(places.cells?.list() ?? []).map(({ product }) => product)];
  return (own) => {
    const list = (connectionId: string): Sharer[] =>
      products().flatMap((product) => {
        const connection = product?.context.db === own ? undefined : product?.connections.find(connectionId);
        if (product === undefined || connection === undefined || connection.accountId !== null) return [];
        return [{ db: product.context.db, connection }];
      });
    return {
      list,
      read: async (connectionId) => {
        const others = products().filter((product) => product?.context.db !== own);
        await Promise.all(
          others.map((product) => {
            if (product === undefined) throw new Error('a database of the installation is not open');
            return product.connections.refresh();
          }),
        );
        return list(connectionId);
      },
    };
  };
}
