import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { createConnector } from './connector.ts';
import { findRoute } from './pooler.ts';

const FOLDER = new URL('../../migrations/', import.meta.url);

/** An arbitrary constant; every process that migrates takes the same advisory lock. */
const LOCK_KEY = 7_244_001;

/** A server that does not answer a short statement within this time is gone. */
const ANSWER_WITHIN_MS = 15_000;

/** Options of statements whose duration grows with the tables. The driver reads 0 as the limit of the connection. */
const WITHOUT_LIMIT = { query_timeout: 2 ** 31 - 1 };

/**
 * Moves events that came with a restored dump behind all other events, in the order of their ids. An event stores the
 * transaction that wrote it. A new server counts its transactions from the beginning. After a restore of a logical
 * dump, events have the numbers of future transactions, and forward readers do not see them. Without a restore there is
 * no such event, which the statement finds by an index.
 */
const REPAIR_ORDER = `
  update events e set written_by = pg_current_xact_id() from ledgers l
  where e.ledger_id = l.id and e.written_by >= pg_snapshot_xmax(pg_current_snapshot())`;

export type Migration = { number: number; name: string; text: string };

/** A row of schema_migrations. */
export type AppliedMigration = Pick<Migration, 'number' | 'name'>;

/** The database has other migrations than this version, so this version cannot upgrade it. */
export class IncompatibleDatabaseError extends Error {
  override readonly name = 'IncompatibleDatabaseError';

  constructor(found: AppliedMigration, expected: AppliedMigration) {
    super(
      `The database was made by a version that cannot be upgraded to this one: its migration ${found.number} is ` +
        `${found.name}, and this version's is ${expected.name}. Nothing was changed.`,
    );
  }
}

/**
 * Applies the migrations that the database does not have, in order, each in its own transaction, and then repairs the
 * order of events that came with a restored dump. Several processes may call it concurrently: an advisory lock lets one
 * work while the others wait.
 * @param options.lockWithinMs how long to wait for another process that migrates; no limit by default
 * @returns names of the migrations that were applied
 * @throws IncompatibleDatabaseError or TransactionPoolerError before anything is applied
 */
export async function migrate(url: string, { lockWithinMs = 0 } = {}): Promise<string[]> {
  const migrations = await readMigrations();
  const connector = createConnector(url);
  const client = await connector.connect({
    ...{ application_name: 'dialplane migrate', connectionTimeoutMillis: 5_000 },
    ...{ query_timeout: ANSWER_WITHIN_MS, keepAlive: true },
  });
  try {
    await findRoute(client, connector);
    await takeLock(client, lockWithinMs);
    await client.query(
      'create table if not exists schema_migrations (number integer primary key, name text not null, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<AppliedMigration>('select number, name from schema_migrations order by number');
    const pending = findPending(migrations, rows);
    if (pending.length > 0) await client.query({ text: messageOf(pending), ...WITHOUT_LIMIT });
    await client.query({ text: REPAIR_ORDER, ...WITHOUT_LIMIT });
    return pending.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

/** Takes the lock of migrations. 0 waits without a limit. */
async function takeLock(client: pg.Client, withinMs: number): Promise<void> {
  const limit = withinMs === 0 ? WITHOUT_LIMIT : { query_timeout: withinMs + ANSWER_WITHIN_MS };
  const text = `set lock_timeout = ${withinMs}; select pg_advisory_lock(${LOCK_KEY}); reset lock_timeout`;
  await client.query({ text, ...limit });
}

/**
 * Returns all migrations as one message, each in its own transaction. The server runs them without waiting for this
 * process. After an error it skips the rest of the message. Only the last commit waits for the disk, and makes the
 * earlier commits durable too.
 */
function messageOf(migrations: readonly Migration[]): string {
  const parts = migrations.map(({ number, name, text }, index) => {
    const lazily = index < migrations.length - 1 ? 'set local synchronous_commit = off;' : '';
    const record = `insert into schema_migrations (number, name) values (${number}, ${pg.escapeLiteral(name)})`;
    return `begin;${lazily}\n${text}\n;${record};\ncommit;`;
  });
  return parts.join('\n');
}

/**
 * Returns the migrations that are not applied. An applied migration with a number that this version does not have comes
 * from a newer version. It is ignored, because each version also works on the schema of the next version.
 * @throws IncompatibleDatabaseError if an applied migration and this version's migration of the same number have
 * different names
 */
export function findPending(migrations: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const known = new Map(migrations.map((migration) => [migration.number, migration]));
  for (const found of applied) {
    const expected = known.get(found.number);
    if (expected !== undefined && expected.name !== found.name) throw new IncompatibleDatabaseError(found, expected);
    known.delete(found.number);
  }
  return [...known.values()];
}

/** Reads the migrations of this version, in order. Numbers may have gaps, and no two migrations share a number. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  let last = 0;
  return Promise.all(
    names.map(async (name) => {
      const number = Number(name.slice(0, 4));
      if (!(number > last)) throw new Error(`migration ${name} has no number of its own`);
      last = number;
      return { number, name: name.slice(0, -4), text: await readFile(new URL(name, FOLDER), 'utf8') };
    }),
  );
}
