import type { Database, Tx } from '../../src/db/database.ts';

/**
 * Makes the next `times` transactions fail that have run a statement of this name: everything of them is done, and then
 * nothing is committed, as when the process is killed at that moment.
 * @returns how many have failed so far
 */
export function failCommits(db: Database, statementName: string, times: number): { failed: number } {
  return failSome(db, statementName, (earlier) => earlier < times);
}

/** As `failCommits`, every second of them, beginning with the first, until it is stopped. */
export function failEveryOther(db: Database, statementName: string): { failed: number; stop(): void } {
  const { transaction } = db;
  const stop = () => {
    (db as { transaction: Database['transaction'] }).transaction = transaction;
  };
  let count = 0;
  return Object.assign(
    failSome(db, statementName, () => count++ % 2 === 0),
    { stop },
  );
}

function failSome(db: Database, statementName: string, fails: (earlier: number) => boolean): { failed: number } {
  const mutable = db as { transaction: Database['transaction'] };
  const { transaction } = db;
  const count = { failed: 0 };
  mutable.transaction = (work) =>
    transaction(async (tx) => {
      let hasRun = false;
      const watched = {
        signal: tx.signal,
        query: (statement, values) => {
          hasRun ||= statement.name === statementName;
          return tx.query(statement, values);
        },
      } as Tx;
      const result = await work(watched);
      if (!hasRun || !fails(count.failed)) return result;
      count.failed++;
      throw new Error('killed before the commit');
    });
  return count;
}
