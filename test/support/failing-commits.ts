import type { Database, Tx } from '../../src/db/database.ts';

/**
 * Makes the next `times` transactions with the named statement fail. Each runs all its statements and then fails
 * without a commit, as if the process were killed at that moment.
 * @returns the number of failures so far
 */
export function failCommits(db: Database, statementName: string, times: number): { failed: number } {
  return failSome(db, statementName, (earlier) => earlier < times);
}

/** Makes every second transaction with the named statement fail like `failCommits`, from the first one until `stop`. */
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
  mutable.transaction = (work, options) =>
    transaction(async (tx) => {
      let hasRun = false;
      const watched = {
        ...tx,
        query: (statement, values) => {
          hasRun ||= statement.name === statementName;
          return tx.query(statement, values);
        },
      } as Tx;
      const result = await work(watched);
      if (!hasRun || !fails(count.failed)) return result;
      count.failed++;
      throw new Error('killed before the commit');
    }, options);
  return count;
}

/**
 * Makes the next `times` runs of a named statement outside transactions fail. Each fails before it reaches the
 * database, or after its commit, as if the process were killed at that moment.
 */
export function failStatements(
  db: Database,
  statementName: string,
  { times, when }: { times: number; when: 'before' | 'after' },
): { failed: number; stop(): void } {
  const { query } = db;
  const count = {
    failed: 0,
    stop: () => {
      db.query = query;
    },
  };
  db.query = async (statement, values) => {
    const fails = statement.name === statementName && count.failed < times;
    if (!fails) return query(statement, values);
    count.failed++;
    if (when === 'after') await query(statement, values);
    throw new Error(`killed ${when} the statement`);
  };
  return count;
}
