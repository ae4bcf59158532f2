/** Counts how often the adapter reports the end of a leg: after each report it writes the end down. */
import type { Db } from '../../src/db/database.ts';
import { sql } from '../support/jobs.ts';

export type LegEnds = {
  /** Returns how often the end of each leg of a call was reported, in the order of the legs. */
  of(callId: string): Promise<readonly number[]>;
};

export async function watchLegEnds(db: Db): Promise<LegEnds> {
  await sql(db, 'create table leg_ends (leg_ref text not null)');
  await sql(
    db,
    `create function note_leg_end() returns trigger language plpgsql as
     $$ begin insert into leg_ends values (new.leg_ref); return null; end $$`,
  );
  // It fires for each statement that sets the column, also to what it was.
  await sql(
    db,
    `create trigger note_leg_end after update of ended_at on sip_legs for each row execute function note_leg_end()`,
  );
  const count = `select count(e)::int from sip_legs l left join leg_ends e using (leg_ref)
    where l.call_ref = $1 group by leg_ref, l.created_at order by l.created_at`;
  return {
    of: async (callId) => (await sql<{ count: number }>(db, count, [callId])).map((row) => row.count),
  };
}
