/** Deletes data about calls that adapters have stored, a week after the call. Calls last a few hours at most. */
import type { Database } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { defineDeletion, type Sweep } from '../../queue/worker/sweep.ts';

/** @param table must have an index by `created_at` */
const removal = (table: string) =>
  statement(
    `${table}_delete_old`,
    `delete from ${table} where ctid in (
       select ctid from ${table} where created_at < statement_timestamp() - interval '7 days'
       order by created_at limit $1)
     returning 1`,
  );

/** The removals are declared once, because a process can make an adapter several times. */
const removals = {
  telnyx_legs: removal('telnyx_legs'),
  telnyx_playbacks: removal('telnyx_playbacks'),
  telnyx_recordings: removal('telnyx_recordings'),
  sip_legs: removal('sip_legs'),
  sip_playbacks: removal('sip_playbacks'),
  sip_recordings: removal('sip_recordings'),
  sip_streams: removal('sip_streams'),
};

/** Defines the deletion of a table's old rows, the oldest first. */
export function defineCallRetention(db: Database, table: keyof typeof removals): Sweep {
  const remove = async (rows: number) => (await db.query(removals[table], [rows])).length;
  return defineDeletion({ db, name: table, remove });
}
