/** The databases of an installation that have the same connection. Accounts in each of them use it. */
import type { Database } from '../../db/database.ts';
import type { OpenConnection } from '../connections/opener.ts';

/** Another database that has the connection. */
export type Sharer = { readonly db: Database; readonly connection: OpenConnection };

export type Sharers = {
  /** Returns the other databases that this process already knows. */
  list(connectionId: string): readonly Sharer[];
  /**
   * Reads the connections of the other databases. Returns the databases that have this connection.
   * @throws Error if a database cannot be read
   */
  read(connectionId: string): Promise<readonly Sharer[]>;
};

/** For an installation with one database. */
export const NO_SHARERS: Sharers = { list: () => [], read: async () => [] };
