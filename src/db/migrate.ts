import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';

const FOLDER = new URL('../../migrations/', import.meta.url);

// Any constant will do, as long as every process that migrates takes the same.
const LOCK_KEY = 7_244_001;

/**
 * Events remember the transaction that wrote them, and a server that a logical dump was restored into counts its own
 * from the beginning: events of transactions that are yet to come stay hidden from readers that go forward. They are
 * put behind all others, in the order of their ids. Where nothing was restored, none is found, by an index.
 */
const REPAIR_ORDER = `
  update events e set written_by = pg_current_xact_id() from ledgers l
  where e.ledger_id = l.id and e.written_by >= pg_snapshot_xmax(pg_current_snapshot())`;

export type Migration = { number: number; name: string; text: string };

/**
 * Applies the migrations that the database has not seen, in order, each in its own transaction, and then puts events in
 * order that came with a restored dump. Safe to call from several processes at once: an advisory lock lets one work
 * while the others wait.
 * @returns names of the migrations that were applied
 */
export async function migrate(url: string): Promise<string[]> {
  const migrations = await readMigrations();
  const client = new pg.Client({
    connectionString: url,
    application_name: 'dialplane migrate',
    connectionTimeoutMillis: 5_000,
  });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    await client.query(
      'create table if not exists schema_migrations (number integer primary key, name text not null, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ number: number }>('select number from schema_migrations');
    const applied = new Set(rows.map((row) => row.number));
    const pending = migrations.filter((migration) => !applied.has(migration.number));
    for (const migration of pending) await apply(client, migration);
    await client.query(REPAIR_ORDER);
    return pending.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  await client.query(migration.text);
  await client.query('insert into schema_migrations (number, name) values ($1, $2)', [
    migration.number,
    migration.name,
  ]);
  await client.query('commit');
}

/** The migrations of this version, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name, index) => {
      const number = Number(name.slice(0, 4));
      if (number !== index + 1) throw new Error(`migration ${name} is out of order: expected number ${index + 1}`);
      return { number, name: name.slice(0, -4), text: await readFile(new URL(name, FOLDER), 'utf8') };
    }),
  );
}
