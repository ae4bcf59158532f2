import { type Logger, pino } from 'pino';
import { type Database, type Db, openDatabase } from '../../src/db/database.ts';
import { closeAfterTests } from './close-after-tests.ts';
import { cloneDatabase } from './database.ts';
import { skipWhile } from './stepping-time.ts';
import { until } from './until.ts';

export { until };

const ASKED_WITHIN_MS = 60_000;

export const silentLog: Logger = pino({ level: 'silent' });

export type JobsDatabase = Awaited<ReturnType<typeof openJobsDatabase>>;

/** Opens a new migrated database with one test ledger for the tests of the file, and drops it after them. */
export async function useJobsDatabase(): Promise<JobsDatabase> {
  const database = await openJobsDatabase();
  closeAfterTests(() => database.close());
  return database;
}

/** Opens a new migrated database with one test ledger. */
export async function openJobsDatabase() {
  const { url, drop } = await cloneDatabase();
  await useDaylightSaving(url);
  const open = () => openDatabase({ url, connectionsMax: 10, log: silentLog });
  const db = open();
  const others: Database[] = [];
  await sql(db, `insert into accounts (id, name) values ('acct_1', 'One')`);
  const [ledger] = await sql<{ id: number }>(
    db,
    `insert into ledgers (account_id, mode) values ('acct_1', 'test') returning id`,
  );
  return {
    db,
    url,
    ledgerId: (ledger as { id: number }).id,
    /** Opens another pool on the database, like another process. */
    openOther: () => {
      const other = open();
      others.push(other);
      return other;
    },
    close: async () => {
      await Promise.all([db, ...others].map((each) => each.close()));
      await drop();
    },
  };
}

/** Sets a time zone with days of unequal length. So errors of interval arithmetic that counts in days show. */
async function useDaylightSaving(url: string): Promise<void> {
  const admin = openDatabase({ url, connectionsMax: 1, log: silentLog });
  await sql(admin, `alter database ${new URL(url).pathname.slice(1)} set timezone to 'America/New_York'`);
  await admin.close();
}

/** Keeps a transaction open while the test works, even on a machine that pauses. */
export async function keepOpen(tx: Db): Promise<void> {
  await sql(tx, 'set local idle_in_transaction_session_timeout = 0');
}

/** Runs a statement that only a test needs. */
export function sql<Row>(db: Db, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  return db.query<Row>({ name: '', text }, values);
}

/** Returns the time of the database in milliseconds since the epoch, rounded down as in replies of the API. */
export async function databaseMs(db: Db): Promise<number> {
  const [row] = await sql<{ at: Date }>(db, 'select clock_timestamp() as at');
  return (row as { at: Date }).at.getTime();
}

/** Waits until all claims of a table have been renewed, after the end of their first leases of `leaseMs`. */
export async function untilRenewed(db: Database, table: 'jobs' | 'lanes', leaseMs: number): Promise<void> {
  const claims = `from ${table} where lease_token is not null`;
  const [first] = await sql<{ ends_at: Date }>(db, `select max(run_at) as ends_at ${claims}`);
  const text = `select min(run_at) > $1::timestamptz + $2 * interval '1 ms' as renewed ${claims}`;
  const renewed = async () =>
    (await sql<{ renewed: boolean }>(db, text, [first?.ends_at, leaseMs]))[0]?.renewed === true;
  await until('the claims are renewed', renewed, 8 * leaseMs);
}

/** Runs a job now that is planned for later. Resolves when the run has ended. */
export async function runNow(db: Database, id: string): Promise<void> {
  const due = `update jobs set run_at = clock_timestamp() - interval '1 s'
    where id = $1 and lease_token is null returning 1`;
  // A round that is already running may have read its rows before this call.
  await until(`${id} is planned`, async () => (await sql(db, due, [id])).length === 1, 20_000);
  const waits = 'select 1 from jobs where id = $1 and (run_at <= clock_timestamp() or lease_token is not null)';
  await until(`${id} has run`, async () => (await sql(db, waits, [id])).length === 0, 20_000);
}

/** Resolves when this process has run the named statement `times` more times. */
export function askedTimes(db: Database, statementName: string, times: number): Promise<void> {
  const { query } = db;
  let left = times;
  const asked = new Promise<void>((resolve) => {
    db.query = (statement, values) => {
      if (statement.name === statementName && --left === 0) {
        db.query = query;
        resolve();
      }
      return query(statement, values);
    };
  });
  return skipWhile(asked, ASKED_WITHIN_MS);
}

/** Returns a promise with its resolver, for handlers that wait for the test. */
export function gate(): { opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
