import type { Party } from '../../../carriers/ports/voice.ts';
import type { Db } from '../../../db/database.ts';
import { type Rider, type Statement, shiftParameters, statement } from '../../../db/statement.ts';
import { announceWritten, emittingSql, emittingValues, type WrittenEvent } from '../../events/index.ts';
import { UTTERANCES_MAX } from '../calls/bounds.ts';
import type { InLedger, ReadCall } from '../calls/queries.ts';

const ofCallUpTo = (table: string) =>
  `(select count(*) from (select 1 from ${table} where ledger_id = $1::int and call_id = $2::text limit ${UTTERANCES_MAX}) t)`;

const OWN_VALUES = 7;

const EMITTING = emittingSql({ condition: 'exists (select 1 from segment)', data: 'null' });

const statements = new Map<string, Statement>();

// The call is locked first, as by every writer. Notices of a call are taken one by one, so no other utterance without a
// text is being added. A repeated report changes nothing.
function statementOf(rider: Rider): Statement {
  const made = statements.get(rider.name);
  if (made !== undefined) return made;
  const text = `with locked as materialized (
     select 1 from calls
     where ledger_id = $1::int and id = $2::text and xmin = $7::text::xid
       and not exists (select 1 from call_utterances where ledger_id = $1::int and call_id = $2::text)
     for update skip locked
   ), ${shiftParameters(rider.ctes, OWN_VALUES)}
   , segment as (
     insert into transcript_segments (ledger_id, call_id, ref, speaker, text, occurred_at)
     select $1::int, $2::text, $3::text, $4::text, $5::text, $6::timestamptz from mine
     where $5::text <> '' and ${ofCallUpTo('transcript_segments')} < ${UTTERANCES_MAX}
     on conflict (ledger_id, call_id, ref) do nothing
     returning 1
   ), ${shiftParameters(EMITTING.ctes, OWN_VALUES + rider.values.length)}
   select ${rider.result} as rider, ${EMITTING.result} as events from mine`;
  const prepared = statement(`transcript_segments_say_${rider.name}`, text);
  statements.set(rider.name, prepared);
  return prepared;
}

/** An utterance with its text. */
type Said = { readonly ref: string; readonly speaker: Party; readonly text: string; readonly endedAt: Date };

type SaidRow = { readonly rider: unknown; readonly events: readonly WrittenEvent[] | null };

/**
 * Adds an utterance to the transcript of a call that was read and not locked, with its event and a rider.
 * @returns undefined, and nothing is written, if the call has changed, another writer has it, utterances of it wait for
 *   their turn, or the rider cannot be carried out
 */
export async function writeUtterance(
  db: Db,
  { ledgerId }: InLedger,
  { id: callId, tenant_id: tenantId, version }: ReadCall,
  { said, rider }: { readonly said: Said; readonly rider: Rider },
): Promise<{ readonly rider: unknown } | undefined> {
  const { ref, speaker, text, endedAt } = said;
  const data = { object: 'call_transcript_segment', call_id: callId, speaker, text, occurred_at: endedAt };
  const event = { type: 'call.transcript', tenantId, resourceId: callId, data } as const;
  const own = [ledgerId, callId, ref, speaker, text, endedAt, version];
  const values = [...own, ...rider.values, ...emittingValues(db, ledgerId, [event])];
  const [row] = await db.query<SaidRow>(statementOf(rider), values);
  if (row?.events) announceWritten(db, ledgerId, [event], row.events);
  return row && { rider: row.rider };
}
