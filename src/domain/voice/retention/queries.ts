import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import { pastRetentionSql, type RetentionRound } from '../../tenants/index.ts';

/** The times are texts, so that they keep their microseconds. */
export type OldRow = {
  readonly ledger_id: number;
  readonly tenant_id: string;
  readonly id: string;
  readonly at: string;
  /** False for a row that the sweep skips. */
  readonly is_due: boolean;
};

// A voicemail's recording is deleted with the voicemail. So this sweep skips it once and does not delete it.
const FIND_RECORDINGS = statement(
  'recordings_find_past_retention',
  `with ${pastRetentionSql('recording_days')}
   select past.ledger_id, past.tenant_id, r.id, r.created_at::text as at, not exists (
       select 1 from voicemails v
       where v.ledger_id = past.ledger_id and v.call_id = r.call_id and v.recording_id = r.id) as is_due
   from past cross join lateral (
     select id, call_id, created_at from recordings
     where ledger_id = past.ledger_id and tenant_id = past.tenant_id
       and (created_at, id) > (past.after_at, past.after_id) and created_at < past.before
     order by created_at, id limit $1::int) r
   limit $1::int`,
);

/** Returns recordings of calls past the retention of their tenants, in order for each tenant. Locks nothing. */
export function findOldRecordings(db: Db, { rowsMax, ledgerId }: RetentionRound): Promise<OldRow[]> {
  return db.query(FIND_RECORDINGS, [rowsMax, ledgerId ?? null]);
}

const FIND_VOICEMAILS = statement(
  'voicemails_find_past_retention',
  `with ${pastRetentionSql('voicemail_days')}
   select past.ledger_id, past.tenant_id, v.recording_id as id, v.created_at::text as at, true as is_due
   from past cross join lateral (
     select recording_id, created_at from voicemails
     where ledger_id = past.ledger_id and tenant_id = past.tenant_id and created_at < past.before
     order by created_at limit $1::int) v
   limit $1::int`,
);

/** Returns the recordings of voicemails past the retention of their tenants. Locks nothing. */
export function findOldVoicemails(db: Db, { rowsMax, ledgerId }: RetentionRound): Promise<OldRow[]> {
  return db.query(FIND_VOICEMAILS, [rowsMax, ledgerId ?? null]);
}

const OUTCOMES = `array['answered', 'voicemail', 'missed', 'no_answer', 'busy', 'canceled', 'failed', 'no_application', '']`;

// The index of calls by tenant and state has a range for each final state of a call. Calls are not deleted, so each
// round begins where the last one ended. The age of a call counts from its start.
const FIND_TRANSCRIPTS = statement(
  'calls_find_past_retention',
  `with ${pastRetentionSql('transcript_days')}
   select past.ledger_id, past.tenant_id, c.id, c.started_at::text as at,
     c.summary is not null or exists (
       select 1 from transcript_segments s where s.ledger_id = past.ledger_id and s.call_id = c.id) as is_due
   from past cross join lateral (
     select c.* from unnest(array['inbound', 'outbound']) as d (direction)
     cross join unnest(array['completed', 'failed', 'missed']) as s (status)
     cross join unnest(${OUTCOMES}) as o (outcome)
     cross join lateral (
       select id, started_at, summary from calls
       where ledger_id = past.ledger_id
         and (tenant_id || '/' || direction || '/' || status || '/' || coalesce(outcome, ''))
           = past.tenant_id || '/' || d.direction || '/' || s.status || '/' || o.outcome
         and (started_at, id) > (past.after_at, past.after_id) and started_at < past.before
       order by started_at, id limit $1::int) c
     order by c.started_at, c.id limit $1::int) c
   limit $1::int`,
);

/** Returns ended calls past the retention of the transcripts of their tenants, in order for each tenant. */
export function findOldTranscripts(db: Db, { rowsMax, ledgerId }: RetentionRound): Promise<OldRow[]> {
  return db.query(FIND_TRANSCRIPTS, [rowsMax, ledgerId ?? null]);
}
