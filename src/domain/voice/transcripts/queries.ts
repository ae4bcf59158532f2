/** Utterances of calls, from their report to their place in the transcript. */
import type { Party } from '../../../carriers/ports/voice.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import { insertJobsSql } from '../../../queue/jobs/job-sql.ts';
import { wake } from '../../../queue/worker/wake.ts';
import { UTTERANCES_MAX } from '../calls/bounds.ts';
import type { InLedger } from '../calls/queries.ts';
import type { Segment } from './schema.ts';

/** The kind of the jobs that transcribe one utterance, a row of `call_utterances`. */
export const TRANSCRIBE_UTTERANCE = 'transcribe-utterance';
export type TranscribeUtterance = { readonly callId: string; readonly ref: string };

const ofCallUpTo = (table: string) =>
  `(select count(*) from (select 1 from ${table} where ledger_id = $1::int and call_id = $2::text limit ${UTTERANCES_MAX}) t)`;

// An utterance that is already in the transcript is a repeated report, and is not kept again. Words of a call whose
// transcript was deleted are not kept.
const KEEP = statement(
  'call_utterances_keep',
  `with kept as (
     insert into call_utterances (ledger_id, call_id, ref, speaker, text, ended_at)
     select $1::int, $2::text, $3::text, $4, $5, $6
     where not exists (
       select 1 from transcript_segments where ledger_id = $1::int and call_id = $2::text and ref = $3::text)
       and not exists (
         select 1 from calls where ledger_id = $1::int and id = $2::text and transcript_deleted_at is not null)
       and ${ofCallUpTo('transcript_segments')} + ${ofCallUpTo('call_utterances')} < ${UTTERANCES_MAX}
     on conflict (ledger_id, call_id, ref) do nothing
     returning ref
   )
   ${insertJobsSql({
     ledgerId: '$1::int',
     id: `'${TRANSCRIBE_UTTERANCE}:' || $2::text || ':' || ref`,
     queue: 'audio',
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
  /** Null if a job fetches the audio and transcribes it. */
  readonly text: string | null;
  readonly endedAt: Date;
};

/**
 * Keeps an utterance, and plans its transcription if it has no text. A repeated report changes nothing. An utterance
 * beyond UTTERANCES_MAX is dropped.
 */
export async function keepUtterance(
  tx: Tx,
  { ledgerId }: InLedger,
  callId: string,
  { ref, speaker, text, endedAt }: NewUtterance,
): Promise<void> {
  const planned = await tx.query(KEEP, [ledgerId, callId, ref, speaker, text, endedAt]);
  if (planned.length > 0) wake(tx, 'jobs', 'audio');
}

const LIST = statement(
  'transcript_segments_list',
  `select speaker, text, occurred_at from transcript_segments
   where ledger_id = $1 and call_id = $2 order by occurred_at, ref`,
);

/** Returns the transcript of a call, in order. */
export function listSegments(db: Db, { ledgerId }: InLedger, callId: string): Promise<Segment[]> {
  return db.query(LIST, [ledgerId, callId]);
}

const FIND = statement(
  'call_utterances_find',
  'select text is null as is_open from call_utterances where ledger_id = $1 and call_id = $2 and ref = $3',
);

/** Returns true for an utterance that waits for its text. */
export async function isOpen(db: Db, { ledgerId }: InLedger, callId: string, ref: string): Promise<boolean> {
  const [row] = await db.query<{ is_open: boolean }>(FIND, [ledgerId, callId, ref]);
  return row?.is_open ?? false;
}

// If a party has several legs, this takes the leg that is up, or the last leg of an ended call.
const FIND_LEG = statement(
  'calls_find_transcribed_leg',
  `select leg ->> 'id' as id
   from calls c, jsonb_array_elements(c.state -> 'legs') with ordinality as l (leg, position)
   where c.ledger_id = $1 and c.id = $2 and c.state ->> 'transcription' = 'on' and c.transcript_deleted_at is null
     and leg ->> 'party' = $3
   order by leg ->> 'state' = 'up' desc, position desc limit 1`,
);

/** Returns the leg of a party, if the call is transcribed. */
export async function findTranscribedLeg(
  db: Db,
  { ledgerId }: InLedger,
  callId: string,
  party: Party,
): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(FIND_LEG, [ledgerId, callId, party]);
  return row?.id;
}

const SETTLE = statement(
  'call_utterances_settle',
  'update call_utterances set text = $4 where ledger_id = $1 and call_id = $2 and ref = $3 and text is null',
);

/** Sets the text of an utterance; an empty text if it could not be transcribed. */
export async function settleUtterance(
  tx: Tx,
  { ledgerId }: InLedger,
  { callId, ref, text }: { callId: string; ref: string; text: string },
): Promise<void> {
  await tx.query(SETTLE, [ledgerId, callId, ref, text]);
}

// An utterance also waits while an earlier one has no text yet.
const MOVE = statement(
  'call_utterances_move',
  `with taken as (
     delete from call_utterances u
     where u.ledger_id = $1::int and u.call_id = $2::text and u.text is not null and not exists (
       select 1 from call_utterances p
       where p.ledger_id = $1::int and p.call_id = $2::text and p.text is null
         and (p.ended_at, p.ref) < (u.ended_at, u.ref))
     returning u.ref, u.speaker, btrim(u.text) as text, u.ended_at
   ), written as (
     insert into transcript_segments (ledger_id, call_id, ref, speaker, text, occurred_at)
     select $1::int, $2::text, ref, speaker, text, ended_at from taken where text <> ''
     on conflict (ledger_id, call_id, ref) do nothing
     returning ref, speaker, text, occurred_at
   )
   select speaker, text, occurred_at from written order by occurred_at, ref`,
);

/**
 * Moves utterances of a locked call into its transcript, up to the first that has no text yet.
 * @returns the new segments, in order
 */
export function moveUtterances(tx: Tx, { ledgerId }: InLedger, callId: string): Promise<Segment[]> {
  return tx.query(MOVE, [ledgerId, callId]);
}
