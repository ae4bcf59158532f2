/**
 * The rows of waiting callers. They are a part of the state of the callers' calls, and the executor writes them with
 * that state.
 */
import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { InLedger } from '../calls/queries.ts';
import type { Call } from '../calls/state/call.ts';
import { planDecisions } from './plan-decision.ts';

type Entry = {
  readonly queueId: string;
  readonly sinceMs: number;
  readonly admitted: boolean;
  readonly offered: boolean;
};

/** Returns a call's place in a queue; null if it has none. */
function entryOf({ stage }: Call): Entry | null {
  if (stage.name !== 'queued') return null;
  const { queueId, sinceMs, settings, isOffered: offered } = stage;
  return { queueId, sinceMs, admitted: settings !== null, offered };
}

/** Returns true if a step of a call changes its place in a queue. */
export function changesEntry(before: Call, after: Call): boolean {
  if (before.stage === after.stage) return false;
  return JSON.stringify(entryOf(before)) !== JSON.stringify(entryOf(after));
}

const DROP = statement('queue_entries_drop', 'delete from queue_entries where ledger_id = $1 and call_id = $2');

const WRITE = statement<Entry & { ledger_id: number; call_id: string; since: Date }>(
  'queue_entries_write',
  `insert into queue_entries (ledger_id, call_id, queue_id, since, admitted, offered)
   values (:ledger_id, :call_id, :queueId, :since, :admitted, :offered)
   on conflict (ledger_id, call_id) do update set queue_id = excluded.queue_id, since = excluded.since,
     admitted = excluded.admitted, offered = excluded.offered`,
);

/** Writes the place of a locked call after a step. If its caller has no ringing agent, the queue decides again. */
export async function writeEntry(tx: Tx, ledger: InLedger, callId: string, state: Call): Promise<void> {
  const entry = entryOf(state);
  if (entry === null) {
    await tx.query(DROP, [ledger.ledgerId, callId]);
    return;
  }
  const since = new Date(entry.sinceMs);
  await tx.query(WRITE, { ...entry, ledger_id: ledger.ledgerId, call_id: callId, since });
  if (!entry.offered) await planDecisions(tx, ledger, [entry.queueId]);
}

const POSITION = statement(
  'queue_entries_position',
  `select count(*)::int as position from queue_entries own
   join queue_entries e on e.ledger_id = own.ledger_id and e.queue_id = own.queue_id
     and (e.since, e.call_id) <= (own.since, own.call_id)
   where own.ledger_id = $1 and own.call_id = $2`,
);

/** Returns the position of a caller, from 1; null if it does not wait. */
export async function readPosition(db: Db, { ledgerId }: InLedger, callId: string): Promise<number | null> {
  const [row] = await db.query<{ position: number }>(POSITION, [ledgerId, callId]);
  return row === undefined || row.position === 0 ? null : row.position;
}
