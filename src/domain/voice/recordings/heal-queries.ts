import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Unreported } from '../../../queue/worker/heal.ts';

// One range of calls_recorded for each live ledger and window. A live ledger's clock is the wall clock,
// and no index serves clock_timestamp().
const LIST = statement(
  'recordings_list_unreported',
  `select c.ledger_id, l.account_id, c.id, c.connection_id, c.recording_ref, w.round::int as round
   from ledgers l
   cross join unnest($1::float8[]) with ordinality as w (age_ms, round)
   cross join lateral (
     select ledger_id, id, connection_id,
       state ->> case outcome when 'voicemail' then 'voicemailRecordingId' else 'recordingId' end as recording_ref
     from calls
     where ledger_id = l.id and (record or outcome = 'voicemail')
       and ended_at > statement_timestamp() - make_interval(secs => (w.age_ms + $2::float8) / 1000)
       and ended_at <= statement_timestamp() - make_interval(secs => w.age_ms / 1000)
       and case outcome when 'voicemail' then not (state ->> 'voicemailKept')::boolean
         else state #>> '{recording,name}' in ('on', 'stopped') end
     order by ended_at limit $3) c
   where l.mode = 'live'`,
);

/** An ended call whose recording was not reported. */
export type UnreportedRecording = Unreported & {
  readonly recording_ref: string;
  /** The window that contains the call, from 1. */
  readonly round: number;
};

/**
 * Returns calls of live ledgers that ended without a report of their recording or message. Their end is in one of the
 * windows: `windows` (milliseconds) ago or earlier, `widthMs` wide. Returns at most `rows` calls of each ledger and
 * window.
 */
export function listUnreportedRecordings(
  db: Db,
  { windows, widthMs, rows }: { windows: readonly number[]; widthMs: number; rows: number },
): Promise<UnreportedRecording[]> {
  return db.query(LIST, [windows, widthMs, rows]);
}
