/** Counts how often the adapter reports the end of a leg. The adapter stores the end after each report. */
import assert from 'node:assert/strict';
import type { Db } from '../../src/db/database.ts';
import { sql, until } from '../support/jobs.ts';

export type LegEnds = {
  /** Waits until all legs of a call have ended. Fails unless the end of each was reported once. */
  assertOnce(callId: string): Promise<void>;
};

const LIMIT_MS = 20_000;

export async function watchLegEnds(db: Db): Promise<LegEnds> {
  await sql(db, 'create table leg_ends (leg_ref text not null)');
  await sql(
    db,
    `create function note_leg_end() returns trigger language plpgsql as
     $$ begin insert into leg_ends values (new.leg_ref); return null; end $$`,
  );
  // The trigger fires for each statement that sets the column, even to the same value.
  await sql(
    db,
    `create trigger note_leg_end after update of ended_at on sip_legs for each row execute function note_leg_end()`,
  );
  const open = 'select 1 from sip_legs where call_ref = $1 and ended_at is null';
  const others = `select leg_ref, count(e)::int as ends from sip_legs l left join leg_ends e using (leg_ref)
    where l.call_ref = $1 and l.channel_id is not null group by leg_ref having count(e) <> 1`;
  return {
    assertOnce: async (callId) => {
      await until('no leg is open', async () => (await sql(db, open, [callId])).length === 0, LIMIT_MS);
      assert.deepEqual(await sql(db, others, [callId]), [], `legs of ${callId} that have not ended once`);
    },
  };
}
