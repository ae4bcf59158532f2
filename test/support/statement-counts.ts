import type { Database, Tx } from '../../src/db/database.ts';

/** Counts the statements outside of transactions, by name. */
export function countStatements(db: Database): { take(): Readonly<Record<string, number>>; stop(): void } {
  const { query } = db;
  let counts: Record<string, number> = {};
  db.query = (statement, values) => {
    counts[statement.name] = (counts[statement.name] ?? 0) + 1;
    return query(statement, values);
  };
  return {
    take: () => {
      const taken = counts;
      counts = {};
      return taken;
    },
    stop: () => {
      db.query = query;
    },
  };
}

/** Lists the statements in transactions, by name and in order. */
export function listTransactionStatements(db: Database): { take(): readonly string[]; stop(): void } {
  const mutable = db as { transaction: Database['transaction'] };
  const { transaction } = db;
  let names: string[] = [];
  mutable.transaction = (work, options) =>
    transaction((tx) => {
      const query: Tx['query'] = (statement, values) => {
        names.push(statement.name);
        return tx.query(statement, values);
      };
      return work({ ...tx, query });
    }, options);
  return {
    take: () => {
      const taken = names;
      names = [];
      return taken;
    },
    stop: () => {
      mutable.transaction = transaction;
    },
  };
}
