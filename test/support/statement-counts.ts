import type { Database } from '../../src/db/database.ts';

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
