import type { Database, Db } from './database.ts';
import { type AppliedMigration, findPending, readMigrations } from './migrate.ts';
import { statement } from './statement.ts';

const HAS_MIGRATIONS = statement(
  'readiness_has_migrations',
  `select to_regclass('schema_migrations') is not null as present`,
);
const APPLIED = statement('readiness_applied', 'select number, name from schema_migrations order by number');

/**
 * Returns the names of this version's migrations that the database does not have; none if a newer version has migrated
 * the database.
 * @throws IncompatibleDatabaseError if the database was migrated by other migrations
 */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const migrations = await readMigrations();
  const [state] = await db.query<{ present: boolean }>(HAS_MIGRATIONS, []);
  const applied = state?.present ? await db.query<AppliedMigration>(APPLIED, []) : [];
  return findPending(migrations, applied).map((migration) => migration.name);
}

const STANDBY = statement('readiness_standby', 'select pg_is_in_recovery() as standby');

/** Returns true if the server is a standby, which takes no writes. The next statements then use new connections. */
export async function isStandby(db: Database): Promise<boolean> {
  const [row] = await db.query<{ standby: boolean }>(STANDBY, []);
  const standby = row?.standby === true;
  if (standby) db.renewConnections();
  return standby;
}

const STATE = statement(
  'readiness_state',
  `select current_setting('server_version_num')::integer as version_number, current_setting('server_version') as version,
          clock_timestamp() as now, pg_is_in_recovery() as standby,
          current_setting('max_connections')::integer as connections_max`,
);

/** The kind of server. `version_number` is 150004 for 15.4; `now` is its clock. */
export type DatabaseState = {
  version_number: number;
  version: string;
  now: Date;
  standby: boolean;
  connections_max: number;
};

export async function readDatabaseState(db: Db): Promise<DatabaseState> {
  const [row] = await db.query<DatabaseState>(STATE, []);
  return row as DatabaseState;
}
