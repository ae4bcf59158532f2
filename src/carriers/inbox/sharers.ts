/** The databases of an installation that have the same connection, because accounts in each of them use it. */
import type { Database } from '../../db/database.ts';
import type { OpenConnection } from '../connections/opener.ts';

/** Another database that has the connection. */
export type Sharer = { readonly db: Database; readonly connection: OpenConnection };

export type Sharers = {
  /** Returns those that this process knows of. */
  list(connectionId: string): readonly Sharer[];
  /**
   * Reads the connections of the other databases, and returns those that have this one.
   * @throws Error if a database cannot be read
   */
  read(connectionId: string): Promise<readonly Sharer[]>;
};

/** Of an installation with one database. */
export const NO_SHARERS: Sharers = { list: () => [], read: async () => [] };
