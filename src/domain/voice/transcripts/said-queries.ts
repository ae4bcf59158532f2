import type { Party } from '../../../carriers/ports/voice.ts';
import type { Tx } from '../../../db/database.ts';
import { type Rider, type Statement, shiftParameters, statement } from '../../../db/statement.ts';
import { announceWritten, emittingSql, emittingValues, type WrittenEvent } from '../../events/index.ts';
import { UTTERANCES_MAX } from '../calls/bounds.ts';
import type { InLedger, LockedCall } from '../calls/queries.ts';

const ofCallUpTo = (table: string) =>
  `(select count(*) from (select 1 from ${table} where ledger_id = $1::int and call_id = $2::text limit ${UTTERANCES_MAX}) t)`;

const OWN_VALUES = 6;

const EMITTING = emittingSql({ condition: 'exists (select 1 from segment)', data: 'null' });

const statements = new Map<string, Statement>();

/** The call is locked, so no other writer changes its utterances. A repeated report changes nothing. */
function statementOf(rider: Rider): Statement {
  const made = statements.get(rider.name);
  if (made !== undefined) return made;
  const text = `with locked as (select 1), ${shiftParameters(rider.ctes, OWN_VALUES)}
   , said as (
     select $3::text as ref, $4::text as speaker, $5::text as text, $6::timestamptz as ended_at,
       exists (select 1 from call_utterances where ledger_id = $1::int and call_id = $2::text) as waits
     from mine
     where not exists (
       select 1 from transcript_segments where ledger_id = $1::int and call_id = $2::text and ref = $3::text)
       and ${ofCallUpTo('transcript_segments')} + ${ofCallUpTo('call_utterances')} < ${UTTERANCES_MAX}
   ), kept_utterance as (
     insert into call_utterances (ledger_id, call_id, ref, speaker, text, ended_at)
     select $1::int, $2::text, ref, speaker, text, ended_at from said where waits
     on conflict (ledger_id, call_id, ref) do nothing
   ), segment as (
     insert into transcript_segments (ledger_id, call_id, ref, speaker, text, occurred_at)
     select $1::int, $2::text, ref, speaker, text, ended_at from said where not waits and text <> ''
     on conflict (ledger_id, call_id, ref) do nothing
     returning 1
   ), ${shiftParameters(EMITTING.ctes, OWN_VALUES + rider.values.length)}
   select coalesce((select waits from said), false) as waits, ${rider.result} as rider, ${EMITTING.result} as events
   from mine`;
  const prepared = statement(`transcript_segments_say_${rider.name}`, text);
  statements.set(rider.name, prepared);
  return prepared;
}

/** An utterance with its text. */
type Said = { readonly ref: string; readonly speaker: Party; readonly text: string; readonly endedAt: Date };

type SaidRow = { readonly waits: boolean; readonly rider: unknown; readonly events: readonly WrittenEvent[] | null };

/**
 * Adds an utterance to the transcript of a locked call, with its event and a rider. While others wait for their text it
 * is kept beside them (`waits`).
 * @returns undefined, and nothing is written, if the rider cannot be carried out
 */
export async function writeUtterance(
  tx: Tx,
  { ledgerId }: InLedger,
  { id: callId, tenant_id: tenantId }: LockedCall,
  { said, rider }: { readonly said: Said; readonly rider: Rider },
): Promise<Pick<SaidRow, 'waits' | 'rider'> | undefined> {
  const { ref, speaker, text, endedAt } = said;
  const data = { object: 'call_transcript_segment', call_id: callId, speaker, text, occurred_at: endedAt };
  const event = { type: 'call.transcript', tenantId, resourceId: callId, data } as const;
  const own = [ledgerId, callId, ref, speaker, text, endedAt];
  const values = [...own, ...rider.values, ...emittingValues(tx, ledgerId, [event])];
  const [row] = await tx.query<SaidRow>(statementOf(rider), values);
  if (row?.events) announceWritten(tx, ledgerId, [event], row.events);
  return row;
}
