/**
 * Signals within this process, after a commit: the start and the end of calls, for metrics; new commands, for a worker
 * that waits for the carrier.
 */
import type { VoiceInstruction } from '../../../../carriers/ports/voice.ts';
import type { ClaimOffer } from '../../../../db/claim-offers.ts';
import type { Db, Signal } from '../../../../db/database.ts';
import { drainNewLane, laneOfOffer } from '../../../../queue/lanes/new-lanes.ts';
import { CALL_LANES, groupOf } from '../commands/lane-groups.ts';
import type { CommandBatch, WaitingCommand } from '../commands/lane-queries.ts';
import type { LockedCall } from '../queries.ts';
import type { Call } from '../state/call.ts';

const TOPIC = 'calls';

/** A call that has started, or that has ended with its outcome. */
type CallCount = Pick<Call, 'direction'> & { readonly ended: boolean; readonly outcome: string };

/** Sends the signal; within a transaction, after its commit. */
export function signalCall(db: Pick<Db, 'signal'>, { direction, outcome, endedAtMs }: Call): void {
  const payload: CallCount = { direction, ended: endedAtMs !== null, outcome: outcome ?? 'none' };
  db.signal({ topic: TOPIC, payload });
}

/** Returns the call count in a signal; undefined for any other signal. */
export function callCountOf({ topic, payload }: Signal): CallCount | undefined {
  return topic === TOPIC ? (payload as CallCount) : undefined;
}

const COMMANDS_TOPIC = 'call-commands';

/** Signals, after the commit, that a call has new commands. */
export function signalCommands(db: Pick<Db, 'signal'>, callId: string): void {
  db.signal({ topic: COMMANDS_TOPIC, payload: callId });
}

/** Returns the id of the call with new commands that a signal names; undefined for any other signal. */
export function callWithCommands({ topic, payload }: Signal): string | undefined {
  return topic === COMMANDS_TOPIC ? String(payload) : undefined;
}

/** New commands of a call. The step of this process made the call's lane and claimed it. */
export type ClaimedCommands = { readonly offer: ClaimOffer; readonly commands: readonly WaitingCommand[] };

/**
 * What the drain of such a lane starts with: the commands, and the time until which the claim is certain (by
 * `performance`).
 */
export type StoredCommands = { readonly batch: CommandBatch; readonly leasedUntil: number };

/**
 * Adds the commands of a step to the commands that were claimed earlier in the transaction.
 * @param offer the claim on the lane, if the step has made the lane
 */
export function addCommands(
  claimed: ClaimedCommands | undefined,
  offer: ClaimOffer | undefined,
  { after, commands }: { readonly after: number; readonly commands: readonly VoiceInstruction[] },
): ClaimedCommands | undefined {
  const current = claimed ?? (offer && { offer, commands: [] });
  if (current === undefined) return undefined;
  const added = commands.map((instruction, index): WaitingCommand => {
    return { position: after + index + 1, instruction, unsure: false, failures: 0, waitMs: 0 };
  });
  return { ...current, commands: [...current.commands, ...added] };
}

type CallOfLane = Pick<LockedCall, 'ledger_id' | 'id' | 'connection_id' | 'account_id' | 'mode' | 'is_emergency'>;

/** Starts the dispatch of claimed commands, after the commit. */
export function startCommands(
  db: Pick<Db, 'signal'>,
  call: CallOfLane,
  { legs }: Pick<Call, 'legs'>,
  { offer, commands }: ClaimedCommands,
): void {
  const { ledger_id: ledgerId, id: laneKey, connection_id: connectionId, account_id: accountId, mode } = call;
  const { leaseMs: leaseLeftMs, offeredAt } = offer;
  const ledger = { ledgerId, accountId, mode };
  const batch = { ledger, connectionId, leaseLeftMs, pending: commands.length, legs, commands };
  const items: StoredCommands = { batch, leasedUntil: offeredAt + leaseLeftMs };
  const lane = laneOfOffer({ ledgerId, kind: CALL_LANES, groupId: groupOf(ledgerId, call), laneKey }, offer);
  drainNewLane(db, { lane, items });
}
