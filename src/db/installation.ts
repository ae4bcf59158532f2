import type { Db } from './database.ts';
import { statement } from './statement.ts';

const FIND = statement('installation_find', 'select sealed from installation');
const PRESENT = statement('installation_present', `select to_regclass('installation') is not null as present`);
const INSERT = statement(
  'installation_insert',
  'insert into installation (sealed) values ($1) on conflict (single) do nothing',
);

/** Returns the installation's encrypted text; undefined before its first start. */
export async function findSealed(db: Db): Promise<Buffer | undefined> {
  const [state] = await db.query<{ present: boolean }>(PRESENT, []);
  if (state?.present !== true) return undefined;
  const [row] = await db.query<{ sealed: Buffer }>(FIND, []);
  return row?.sealed;
}

/** Returns the installation's encrypted text; stores the given one if there is none yet. */
export async function findOrStoreSealed(db: Db, sealed: Buffer): Promise<Buffer> {
  await db.query(INSERT, [sealed]);
  const [row] = await db.query<{ sealed: Buffer }>(FIND, []);
  return (row as { sealed: Buffer }).sealed;
}

/** The installation that uses the database: its identity, its name for people, and when it was started. */
export type Use = { readonly id: string; readonly name: string; readonly at: Date };

const RECORD_USE = statement(
  'installation_record_use',
  `with earlier as (select used_by as id, used_by_name as name, used_at as at from installation where single for update),
   recorded as (update installation set used_by = $1, used_by_name = $2, used_at = clock_timestamp() where single)
   select id, name, at from earlier where id <> $1`,
);

/** Records that an installation uses the database. Returns the last use if it was another installation's. */
export async function recordUse(db: Db, { id, name }: Omit<Use, 'at'>): Promise<Use | undefined> {
  const [earlier] = await db.query<Use>(RECORD_USE, [id, name]);
  return earlier;
}

// Some hosted servers do not show their system identifier to users. Then the id contains only the database's oid.
const SYSTEM = statement(
  'installation_system',
  `select case when has_function_privilege('pg_control_system()', 'execute')
     then (select system_identifier from pg_control_system())::text else '' end
     || '/' || (select oid from pg_database where datname = current_database()) as id`,
);

/** Returns an identity of the server and its database, the same on all standbys of a server. */
export async function findDatabaseIdentity(db: Db): Promise<string> {
  const [row] = await db.query<{ id: string }>(SYSTEM, []);
  return row?.id ?? '';
}
