import type { Party } from '../../../carriers/ports/voice.ts';
import type { Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import { insertJobsSql } from '../../../queue/jobs/job-sql.ts';
import { wake } from '../../../queue/worker/wake.ts';
import { AUDIO_QUEUE, TRANSCRIBE_UTTERANCE } from './effects.ts';
import type { InLedger } from './queries.ts';

// What has been written down already is a repeat, and leaves no trace.
const KEEP = statement(
  'call_utterances_keep',
  `with kept as (
     insert into call_utterances (ledger_id, call_id, ref, speaker, text, ended_at)
     select $1::int, $2::text, $3::text, $4, $5, $6
     where not exists (
       select 1 from transcript_segments where ledger_id = $1::int and call_id = $2::text and ref = $3::text)
     on conflict (ledger_id, call_id, ref) do nothing
     returning ref
   )
   ${insertJobsSql({
     ledgerId: '$1::int',
     id: `'${TRANSCRIBE_UTTERANCE}:' || $2::text || ':' || ref`,
     queue: AUDIO_QUEUE,
     kind: `'${TRANSCRIBE_UTTERANCE}'`,
     payload: `json_build_object('callId', $2::text, 'ref', ref)`,
     from: 'from kept where $5::text is null',
     onConflict: 'skip',
   })}
   returning 1 as done`,
);

export type NewUtterance = {
  readonly ref: string;
  readonly speaker: Party;
  /** Null: its audio is to be fetched. */
  readonly text: string | null;
  readonly endedAt: Date;
};

/** Keeps an utterance until it is written down, and has its text made where it has none; a repeat changes nothing. */
export async function keepUtterance(
  tx: Tx,
  { ledgerId }: InLedger,
  callId: string,
  { ref, speaker, text, endedAt }: NewUtterance,
): Promise<void> {
  const kept = await tx.query(KEEP, [ledgerId, callId, ref, speaker, text, endedAt]);
  if (kept.length > 0) wake(tx, 'jobs', AUDIO_QUEUE);
}
