import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { InLedger } from '../calls/queries.ts';
import { FOLLOWED_COLUMNS, type FollowedCall } from '../post-call/queries.ts';
import type { Segment } from './schema.ts';

const LIST = statement(
  'transcript_segments_list',
  `select speaker, text, occurred_at from transcript_segments
   where ledger_id = $1 and call_id = $2 order by occurred_at, ref`,
);

/** What has been written down of a call, in order. */
export async function listSegments(db: Db, { ledgerId }: InLedger, callId: string): Promise<Segment[]> {
  return db.query(LIST, [ledgerId, callId]);
}

const FIND = statement(
  'call_utterances_find',
  'select text is null as is_open from call_utterances where ledger_id = $1 and call_id = $2 and ref = $3',
);

/** True for an utterance that has no text yet, and nobody has given up on. */
export async function isOpen(db: Db, { ledgerId }: InLedger, callId: string, ref: string): Promise<boolean> {
  const [row] = await db.query<{ is_open: boolean }>(FIND, [ledgerId, callId, ref]);
  return row?.is_open ?? false;
}

const SETTLE = statement(
  'call_utterances_settle',
  'update call_utterances set text = $4 where ledger_id = $1 and call_id = $2 and ref = $3 and text is null',
);

/** Gives an utterance its text; an empty one where there will be none. */
export async function settleUtterance(
  tx: Tx,
  { ledgerId }: InLedger,
  { callId, ref, text }: { callId: string; ref: string; text: string },
): Promise<void> {
  await tx.query(SETTLE, [ledgerId, callId, ref, text]);
}

// Whoever ended after one whose text is still awaited waits too.
const WRITE_DOWN = statement(
  'call_utterances_write_down',
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
 * Moves utterances of a call that is held into its transcript, up to the first that still has no text.
 * @returns those that were new, in order
 */
export async function writeDownUtterances(tx: Tx, { ledgerId }: InLedger, callId: string): Promise<Segment[]> {
  return tx.query(WRITE_DOWN, [ledgerId, callId]);
}

const COUNTS = `(select count(*)::int from call_utterances u where u.ledger_id = c.ledger_id and u.call_id = c.id) as waiting,
  (select count(*)::int from transcript_segments s where s.ledger_id = c.ledger_id and s.call_id = c.id) as written`;

export type TranscriptState = { readonly waiting: number; readonly written: number };

const COUNT = statement(
  'transcript_segments_count',
  `select ${COUNTS} from calls c where c.ledger_id = $1 and c.id = $2`,
);

/** How many utterances of a call are written down, and how many still wait. */
export async function countUtterances(tx: Tx, { ledgerId }: InLedger, callId: string): Promise<TranscriptState> {
  const [row] = await tx.query<TranscriptState>(COUNT, [ledgerId, callId]);
  return row ?? { waiting: 0, written: 0 };
}

export type CallToSumUp = FollowedCall &
  TranscriptState & {
    readonly ended_ms_ago: number;
    /** The carrier has not taken all that it is to be told: somebody may be talking still. */
    readonly is_under_way: boolean;
  };

const FIND_CALL = statement(
  'calls_find_to_sum_up',
  `select ${FOLLOWED_COLUMNS}, ${COUNTS}, extract(epoch from ledger_now($1) - ended_at)::float8 * 1000 as ended_ms_ago,
     exists (select 1 from call_commands m where m.ledger_id = c.ledger_id and m.call_id = c.id) as is_under_way
   from calls c where c.ledger_id = $1 and c.id = $2`,
);

export async function findCallToSumUp(
  db: Db,
  { ledgerId }: InLedger,
  callId: string,
): Promise<CallToSumUp | undefined> {
  const [row] = await db.query<CallToSumUp>(FIND_CALL, [ledgerId, callId]);
  return row;
}
