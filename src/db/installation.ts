import type { Db } from './database.ts';
import { statement } from './statement.ts';

const FIND = statement('installation_find', 'select sealed from installation');
const INSERT = statement(
  'installation_insert',
  'insert into installation (sealed) values ($1) on conflict (single) do nothing',
);

/** The installation's sealed text; the one given, if this is the first time anybody asks. */
export async function findOrKeepSealed(db: Db, sealed: Buffer): Promise<Buffer> {
  await db.query(INSERT, [sealed]);
  const [row] = await db.query<{ sealed: Buffer }>(FIND, []);
  return (row as { sealed: Buffer }).sealed;
}
