import type { Party } from '../../../carriers/ports/voice.ts';
import type { Db } from '../../../db/database.ts';
import type { Values } from '../../../db/input.ts';
import { type JoinedWrite, perJoinedWrite, statement } from '../../../db/statement.ts';
import {
  announceWritten,
  type EmittingValues,
  emittingSql,
  emittingValues,
  type WrittenEvent,
} from '../../events/index.ts';
import { UTTERANCES_MAX } from '../calls/bounds.ts';
import type { InLedger, ReadCall } from '../calls/queries.ts';

const ofCallUpTo = (table: string) =>
  `(select count(*) from (select 1 from ${table} where ledger_id = :ledger_id::int and call_id = :call_id::text limit ${UTTERANCES_MAX}) t)`;

const EMITTING = emittingSql({ condition: 'exists (select 1 from segment)', data: 'null' });

type SaidValues = Values &
  EmittingValues & {
    readonly call_id: string;
    readonly version: string;
    readonly ref: string;
    readonly speaker: Party;
    readonly text: string;
    readonly ended_at: Date;
  };
type SaidRow = { readonly joined: unknown; readonly events: readonly WrittenEvent[] | null };

// Locks the call first, as every writer does. Reports of a call are applied one by one, so no other report adds an
// utterance at the same time. A repeated report changes nothing.
const sayWithJoined = perJoinedWrite(({ name, ctes, condition, result }) =>
  statement<SaidValues, SaidRow>(
    `transcript_segments_say_${name}`,
    `with locked as materialized (
     select 1 from calls
     where ledger_id = :ledger_id::int and id = :call_id::text and xmin = :version::text::xid
       and transcript_deleted_at is null
       and not exists (select 1 from call_utterances where ledger_id = :ledger_id::int and call_id = :call_id::text)
     for update skip locked
   ), ${ctes}
   , segment as (
     insert into transcript_segments (ledger_id, call_id, ref, speaker, text, occurred_at)
     select :ledger_id::int, :call_id::text, :ref::text, :speaker::text, :text::text, :ended_at::timestamptz
     where ${condition} and :text::text <> '' and ${ofCallUpTo('transcript_segments')} < ${UTTERANCES_MAX}
     on conflict (ledger_id, call_id, ref) do nothing
     returning 1
   ), ${EMITTING.ctes}
   select ${result} as joined, ${EMITTING.result} as events where ${condition}`,
  ),
);

/** An utterance with its text. */
type Said = { readonly ref: string; readonly speaker: Party; readonly text: string; readonly endedAt: Date };

/**
 * Adds an utterance to the transcript of a call that was read and not locked, with its event and a joined write.
 * @returns undefined, and writes nothing, if the call has changed, another writer has it, other utterances of it wait
 * for their text, or the joined write cannot be carried out
 */
export async function writeUtterance(
  db: Db,
  { ledgerId }: InLedger,
  { id: callId, tenant_id: tenantId, version }: ReadCall,
  { said, joined }: { readonly said: Said; readonly joined: JoinedWrite },
): Promise<{ readonly joined: unknown } | undefined> {
  const { ref, speaker, text, endedAt } = said;
  const data = { object: 'call_transcript_segment', call_id: callId, speaker, text, occurred_at: endedAt };
  const event = { type: 'call.transcript', tenantId, resourceId: callId, data } as const;
  const utteranceValues = { call_id: callId, version, ref, speaker, text, ended_at: endedAt };
  const values = { ...joined.values, ...emittingValues(db, ledgerId, [event]), ...utteranceValues };
  const [row] = await db.query(sayWithJoined(joined), values);
  if (row?.events) announceWritten(db, ledgerId, [event], row.events);
  return row && { joined: row.joined };
}
