import type { ConnectionId } from '../../../../carriers/ports/carrier.ts';
import type { VoiceInstruction } from '../../../../carriers/ports/voice.ts';
import type { Db, Tx } from '../../../../db/database.ts';
import { inputOf } from '../../../../db/input.ts';
import { statement } from '../../../../db/statement.ts';
import type { Ledger, Mode } from '../../../../lib/scope.ts';
import { type Lane, laneLost } from '../../../../queue/lanes/lane.ts';
import {
  addToLanesSql,
  type LaneValues,
  laneValues,
  leaseLeftMsSql,
  OWN_LANE_ROW,
} from '../../../../queue/lanes/lane-sql.ts';
import { settleItems, settlingStatement } from '../../../../queue/lanes/lanes.ts';
import { wake } from '../../../../queue/worker/wake.ts';
import type { InLedger } from '../queries.ts';
import type { Leg } from '../state/call.ts';
import { CALL_LANE, CALL_LANES } from './lane-groups.ts';

/** The most commands that are read at once. A call rarely has more than a handful waiting. */
const COMMANDS_MAX = 32;

// The statement also proves the claim: a worker that has lost the claim reads nothing.
const READ = statement<LaneValues, ReadRow>(
  'call_commands_read',
  `select ${leaseLeftMsSql('l')} as lease_left_ms, l.pending, g.account_id, g.mode,
     coalesce(c.connection_id, m.command ->> 'connectionId') as connection_id, c.state -> 'legs' as legs,
     m.position, m.command as instruction, m.unsure, m.failures,
     case when m.retry_at is null then 0 else extract(epoch from m.retry_at - ledger_now(l.ledger_id))::float8 * 1000 end
       as wait_ms
   from ${OWN_LANE_ROW} l
   join ledgers g on g.id = l.ledger_id
   left join calls c on c.ledger_id = l.ledger_id and c.id = l.lane_key
   left join lateral (
     select position, command, unsure, failures, retry_at from call_commands
     where ledger_id = l.ledger_id and call_id = l.lane_key order by position limit ${COMMANDS_MAX}) m on true
   order by m.position`,
);

export type WaitingCommand = {
  readonly position: number;
  readonly instruction: VoiceInstruction;
  /** The carrier may have the command from an earlier dispatch. */
  readonly unsure: boolean;
  /** Dispatches that the carrier did not accept. */
  readonly failures: number;
  /** Milliseconds from this read until the command may be dispatched again; 0 or less if it may be dispatched now. */
  readonly waitMs: number;
};

export type CommandBatch = {
  readonly ledger: Ledger;
  readonly connectionId: ConnectionId;
  /** How long the claim is valid from this read on, if it is not renewed. */
  readonly leaseLeftMs: number;
  /** The items of the lane: commands that are not settled. */
  readonly pending: number;
  /** The legs of the call; null for a refused call, which has no row. */
  readonly legs: readonly Leg[] | null;
  readonly commands: readonly WaitingCommand[];
};

type CallOfLane = { connection_id: ConnectionId; account_id: string; mode: Mode; legs: Leg[] | null };
type StoredCommand = Omit<WaitingCommand, 'waitMs'> & { readonly wait_ms: number };
type ReadRow = CallOfLane & { lease_left_ms: number; pending: number } & (StoredCommand | { readonly position: null });

/** Returns the commands at the head of a call's lane, in order. Throws LeaseLostError. */
export async function readCommands(db: Db, lane: Lane): Promise<CommandBatch> {
  const rows = await db.query(READ, laneValues(lane));
  const [first] = rows;
  if (first === undefined) throw laneLost(lane);
  return {
    ledger: { ledgerId: lane.ledgerId, accountId: first.account_id, mode: first.mode },
    connectionId: first.connection_id,
    leaseLeftMs: first.lease_left_ms,
    pending: first.pending,
    legs: first.legs,
    commands: rows.flatMap((row) => {
      if (row.position === null) return [];
      const { position, instruction, unsure, failures, wait_ms: waitMs } = row;
      return [{ position, instruction, unsure, failures, waitMs }];
    }),
  };
}

const SETTLE = settlingStatement<{ readonly positions: readonly number[] }>(
  'call_commands_settle',
  `delete from call_commands
   where ledger_id = :lane_ledger and call_id = :lane_key and position = any(:positions::int[])
     and exists (select 1 from own_claim)`,
);

/** Deletes commands that are done and shortens their lane; see `settleItems`. */
export function settleCommands(db: Db, lane: Lane, positions: readonly number[]): Promise<number> {
  return settleItems(db, SETTLE, lane, { done: positions.length, values: { positions } });
}

const POSTPONED = inputOf<PostponedCommand>('postponed_commands', {
  position: ['int', ({ position }) => position],
  unsure: ['boolean', ({ unsure }) => unsure],
  in_ms: ['float8', ({ inMs }) => inMs],
});

const POSTPONE = statement<PostponeValues>(
  'call_commands_postpone',
  `update call_commands c set failures = c.failures + 1, unsure = c.unsure or f.unsure,
     retry_at = ledger_now(:ledger_id::int) + make_interval(secs => f.in_ms / 1000)
   from ${POSTPONED.rows('f')}
   where c.ledger_id = :ledger_id::int and c.call_id = :call_id and c.position = f.position`,
);

/** A command that the carrier has not taken and that is dispatched again. `unsure`: the carrier may have it. */
export type PostponedCommand = { readonly position: number; readonly unsure: boolean; readonly inMs: number };

type PostponeValues = {
  readonly ledger_id: number;
  readonly call_id: string;
  readonly postponed_commands: readonly PostponedCommand[];
};

/** Counts a failure of each command and sets when it is dispatched again. */
export async function postponeCommands(tx: Tx, lane: Lane, postponed: readonly PostponedCommand[]): Promise<void> {
  await tx.query(POSTPONE, { ledger_id: lane.ledgerId, call_id: lane.laneKey, postponed_commands: postponed });
}

const UNDISPATCHED = statement(
  'call_commands_undispatched',
  `select command ->> 'legRef' as leg_id from call_commands
   where ledger_id = $1 and call_id = $2 and command ->> 'do' in ('dial', 'answer')`,
);

/** Returns the legs of a call whose dial or answer has not been dispatched. */
export async function listUndispatched(db: Db, { ledgerId }: InLedger, callId: string): Promise<string[]> {
  const rows = await db.query<{ leg_id: string }>(UNDISPATCHED, [ledgerId, callId]);
  return rows.map(({ leg_id }) => leg_id);
}

const WAITING = statement(
  'call_commands_waiting',
  'select 1 as waiting from call_commands where ledger_id = $1 and call_id = $2 limit 1',
);

/** With more waiting commands than this, a call refuses DTMF. */
const DIGITS_BEHIND_MAX = 200;

const QUEUED = statement(
  'call_commands_queued',
  `select 1 as queued from call_commands where ledger_id = $1 and call_id = $2 offset ${DIGITS_BEHIND_MAX - 1} limit 1`,
);

/** Returns true if DTMF is refused, because too many commands of the call wait for their dispatch. */
export async function isQueueFull(db: Db, { ledgerId }: InLedger, callId: string): Promise<boolean> {
  return (await db.query(QUEUED, [ledgerId, callId])).length > 0;
}

/** Returns true while commands of a call wait for their dispatch. */
export async function hasWaitingCommands(db: Db, { ledgerId }: InLedger, callId: string): Promise<boolean> {
  return (await db.query(WAITING, [ledgerId, callId])).length > 0;
}

// A refused call has no row. It has only this one command. A repeated report of the call conflicts with the command.
const REFUSE = statement<{ readonly ledger_id: number; readonly call_id: string; readonly command: string }>(
  'call_commands_refuse_call',
  `with commanded as (
     insert into call_commands (ledger_id, call_id, position, command) values (:ledger_id::int, :call_id::text, 1, :command)
     on conflict (ledger_id, call_id, position) do nothing
     returning 1 as done
   )
   ${addToLanesSql({ ...CALL_LANE, items: '1', from: 'from commanded' })}`,
);

/**
 * Hangs up a call to a number that the ledger does not own. The command stores the connection, because the call has no
 * row.
 */
export async function refuseCall(
  tx: Tx,
  { ledgerId }: InLedger,
  { callId, legId, connectionId }: { callId: string; legId: string; connectionId: ConnectionId },
): Promise<void> {
  const command = { do: 'hang_up', legRef: legId, reason: 'ended', ...(connectionId && { connectionId }) };
  await tx.query(REFUSE, { ledger_id: ledgerId, call_id: callId, command: JSON.stringify(command) });
  wake(tx, 'lanes', CALL_LANES);
}
