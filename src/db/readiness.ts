import type { Db } from './database.ts';
import { readMigrations } from './migrate.ts';
import { statement } from './statement.ts';

const HAS_MIGRATIONS = statement(
  'readiness_has_migrations',
  `select to_regclass('schema_migrations') is not null as present`,
);
const APPLIED = statement('readiness_applied', 'select number from schema_migrations');

/**
 * Names of this version's migrations that the database has not seen. A database that is ahead (a newer version has
 * already migrated it) lacks none.
 */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const migrations = await readMigrations();
  const [state] = await db.query<{ present: boolean }>(HAS_MIGRATIONS, []);
  const rows = state?.present ? await db.query<{ number: number }>(APPLIED, []) : [];
  const applied = new Set(rows.map((row) => row.number));
  return migrations.filter((migration) => !applied.has(migration.number)).map((migration) => migration.name);
}

const STATE = statement(
  'readiness_state',
  `select current_setting('server_version_num')::integer as version_number, current_setting('server_version') as version,
          clock_timestamp() as now`,
);

/** What kind of server this is. `version_number` is 150004 for 15.4; `now` is its clock. */
export type DatabaseState = { version_number: number; version: string; now: Date };

export async function readDatabaseState(db: Db): Promise<DatabaseState> {
  const [row] = await db.query<DatabaseState>(STATE, []);
  return row as DatabaseState;
}
