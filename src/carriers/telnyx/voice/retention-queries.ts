/** Deletes what was written down about calls at Telnyx a week after it. A call lasts for hours at most. */
import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';

const deletion = (table: string) =>
  statement(
    `${table}_delete_old`,
    `delete from ${table} where ctid in (
       select ctid from ${table} where created_at < statement_timestamp() - interval '7 days'
       order by created_at limit $1)
     returning 1`,
  );

const LEGS = deletion('telnyx_legs');
const PLAYBACKS = deletion('telnyx_playbacks');
const RECORDINGS = deletion('telnyx_recordings');

/** Deletes at most so many rows, the oldest first. Returns how many. */
export async function removeOldLegs(db: Db, rowsMax: number): Promise<number> {
  return (await db.query(LEGS, [rowsMax])).length;
}

export async function removeOldPlaybacks(db: Db, rowsMax: number): Promise<number> {
  return (await db.query(PLAYBACKS, [rowsMax])).length;
}

export async function removeOldRecordings(db: Db, rowsMax: number): Promise<number> {
  return (await db.query(RECORDINGS, [rowsMax])).length;
}
