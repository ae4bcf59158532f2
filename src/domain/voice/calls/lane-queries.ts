import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { VoiceInstruction } from '../../../carriers/ports/voice.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger, Mode } from '../../../lib/scope.ts';
import { type Lane, laneLost } from '../../../queue/lanes/lane.ts';
import { laneValues, leaseLeftMsSql, OWN_LANE_ROW } from '../../../queue/lanes/lane-sql.ts';
import { settleItems, settlingStatement } from '../../../queue/lanes/lanes.ts';
import type { Leg } from './call.ts';
import type { InLedger } from './queries.ts';

/** Commands that are read at once. A call rarely has more than a handful waiting. */
const COMMANDS_MAX = 32;

// The same statement proves the claim: a worker that has lost it reads nothing.
const READ = statement(
  'call_commands_read',
  `select ${leaseLeftMsSql('l')} as lease_left_ms, g.account_id, g.mode,
     coalesce(c.connection_id, m.command ->> 'connectionId') as connection_id, c.state -> 'legs' as legs, m.position, m.command as instruction, m.unsure
   from ${OWN_LANE_ROW} l
   join ledgers g on g.id = l.ledger_id
   left join calls c on c.ledger_id = l.ledger_id and c.id = l.lane_key
   left join lateral (
     select position, command, unsure from call_commands
     where ledger_id = l.ledger_id and call_id = l.lane_key order by position limit ${COMMANDS_MAX}) m on true
   order by m.position`,
);

export type WaitingCommand = {
  readonly position: number;
  readonly instruction: VoiceInstruction;
  readonly unsure: boolean;
};

export type CommandBatch = {
  readonly ledger: Ledger;
  readonly connectionId: ConnectionId;
  /** How long the claim is valid from this read on, if it is not renewed. */
  readonly leaseLeftMs: number;
  /** The legs of the call; null for a refused call, which has no row. */
  readonly legs: readonly Leg[] | null;
  readonly commands: readonly WaitingCommand[];
};

/** Returns the commands at the head of a call's lane, in order. Throws LeaseLostError. */
export async function readCommands(db: Db, lane: Lane): Promise<CommandBatch> {
  type Call = { connection_id: ConnectionId; legs: Leg[] | null };
  type Row = Call & { lease_left_ms: number; account_id: string; mode: Mode } & {
    [Key in keyof WaitingCommand]: WaitingCommand[Key] | null;
  };
  const rows = await db.query<Row>(READ, laneValues(lane));
  const [first] = rows;
  if (first === undefined) throw laneLost(lane);
  return {
    ledger: { ledgerId: lane.ledgerId, accountId: first.account_id, mode: first.mode },
    connectionId: first.connection_id,
    leaseLeftMs: first.lease_left_ms,
    legs: first.legs,
    commands: rows.flatMap(({ position, instruction, unsure }) =>
      position === null || instruction === null ? [] : [{ position, instruction, unsure: unsure === true }],
    ),
  };
}

const SETTLE = settlingStatement(
  'call_commands_settle',
  `delete from call_commands
   where ledger_id = $1 and call_id = $4 and position = any($7::int[]) and exists (select 1 from mine)`,
);

/** Deletes commands that are done and shortens their lane; see `settleItems`. */
export function settleCommands(db: Db, lane: Lane, positions: readonly number[]): Promise<number> {
  return settleItems(db, SETTLE, lane, { done: positions.length, values: [positions] });
}

const MARK_UNSURE = statement(
  'call_commands_mark_unsure',
  'update call_commands set unsure = true where ledger_id = $1 and call_id = $2 and position = $3',
);

/** Marks a command that the carrier may have. */
export async function markUnsure(tx: Tx, lane: Lane, position: number): Promise<void> {
  await tx.query(MARK_UNSURE, [lane.ledgerId, lane.laneKey, position]);
}

const UNDIALLED = statement(
  'call_commands_undialled',
  `select command ->> 'legRef' as leg_id from call_commands
   where ledger_id = $1 and call_id = $2 and command ->> 'do' = 'dial'`,
);

/** Returns the legs of a call whose dial has not been dispatched. */
export async function listUndialled(db: Db, { ledgerId }: InLedger, callId: string): Promise<string[]> {
  const rows = await db.query<{ leg_id: string }>(UNDIALLED, [ledgerId, callId]);
  return rows.map(({ leg_id }) => leg_id);
}

const WAITING = statement(
  'call_commands_waiting',
  'select 1 as waiting from call_commands where ledger_id = $1 and call_id = $2 limit 1',
);

/** Commands that may wait before DTMF is refused. */
const DIGITS_BEHIND_MAX = 200;

const QUEUED = statement(
  'call_commands_queued',
  `select 1 as queued from call_commands where ledger_id = $1 and call_id = $2 offset ${DIGITS_BEHIND_MAX - 1} limit 1`,
);

/** Returns true if so many commands of a call wait for their dispatch that no DTMF is added. */
export async function isQueueFull(db: Db, { ledgerId }: InLedger, callId: string): Promise<boolean> {
  return (await db.query(QUEUED, [ledgerId, callId])).length > 0;
}

/** Returns true while commands of a call wait for their dispatch. */
export async function hasWaitingCommands(db: Db, { ledgerId }: InLedger, callId: string): Promise<boolean> {
  return (await db.query(WAITING, [ledgerId, callId])).length > 0;
}
