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
