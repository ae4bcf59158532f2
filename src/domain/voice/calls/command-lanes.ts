/**
 * Tells carriers what the machine of a call has decided. Each call has a lane of its own, so its commands are given one
 * after the other, in their order, whoever works; the count of a command names it, and a carrier takes a name once.
 *
 * A worker gives a command only while at least half of a lease is left that it knows of. So one that wakes up after its
 * lease, when another has gone on with the call, tells the carrier nothing more: a dial never follows its own hang-up.
 * What a command came to and its end in the lane are written together.
 */
import type { VoiceInstruction, VoiceRefusal } from '../../../carriers/ports/voice.ts';
import type { Context } from '../../../context.ts';
import type { Lane, LaneHandler } from '../../../queue/lanes/lane.ts';
import { isLaneEnded, postponeLane, renewLane } from '../../../queue/lanes/lanes.ts';
import type { CallEffect, CallInput, Leg } from './call.ts';
import { type CommandDispatcher, createCommandDispatcher } from './command-dispatcher.ts';
import { CALL_LANES } from './effects.ts';
import { stepCallWith } from './executor.ts';
import { type CommandBatch, doubtCommand, readCommands, settleCommands, type WaitingCommand } from './lane-queries.ts';

/** Calls in hand in one process, and those of one ledger, which so leaves room for the others. */
const LANES_MAX = 48;
const LEDGER_LANES_MAX = 36;
/** Then other calls have their turn. */
const ROUNDS_PER_CLAIM = 8;
/** So much of a lease must be left for a command to reach the carrier. */
const LEASE_LEFT_MIN = 0.5;

/** Waits after each time that the carrier could not take a command; after the last one it has failed. */
const RETRY_MS = [250, 500, 1_000];
/** A leg that is not hung up goes on costing somebody, so this is tried for some minutes. */
const HANG_UP_RETRY_MS = [...RETRY_MS, 2_000, 5_000, 10_000, 20_000, ...Array<number>(10).fill(30_000)];
/** What a carrier may ask for beyond a wait of ours. */
const RETRY_AFTER_MS_MAX = 5_000;

type LaneContext = Pick<Context, 'db' | 'carriers' | 'log'>;

/** The handler of calls' lanes for this process. */
export function createCallLanes(context: LaneContext): LaneHandler {
  const giver = createCommandDispatcher(context);
  return {
    kind: CALL_LANES,
    concurrencyMax: LANES_MAX,
    groupConcurrency: () => LEDGER_LANES_MAX,
    urgent: true,
    prompt: true,
    countsItself: true,
    drain: async (lane) => {
      let failures = lane.failures;
      for (let round = 0; round < ROUNDS_PER_CLAIM && !isLaneEnded(lane); round++) {
        const askedAt = performance.now();
        const batch = await readCommands(context.db, lane);
        if (batch.commands.length === 0) throw new Error(`the lane of ${lane.laneKey} counts commands that are gone`);
        const end = await giveAll(context, lane, { giver, batch, heldUntil: askedAt + batch.leaseLeftMs, failures });
        await conclude(context, lane, end);
        failures = 0;
      }
    },
  };
}

/** Where a round ended: what is done, and what became of the command after that, if it is not. */
type RoundEnd = {
  readonly done: readonly number[];
  readonly stop?: {
    readonly waiting: WaitingCommand;
    readonly failed?: VoiceRefusal | 'unavailable';
    /** The carrier may have it all the same. */
    readonly open: boolean;
    /** Absent: it has failed. */
    readonly againInMs?: number;
  };
};

type Round = {
  readonly giver: CommandDispatcher;
  readonly batch: CommandBatch;
  /** On the clock of `performance`. */
  readonly heldUntil: number;
  readonly failures: number;
};

async function giveAll({ db }: LaneContext, lane: Lane, round: Round): Promise<RoundEnd> {
  const { giver, failures } = round;
  const { ledger, legs, commands } = round.batch;
  const done: number[] = [];
  let { heldUntil } = round;
  for (const waiting of commands) {
    const { position, command: instruction, unsure } = waiting;
    const command = { callRef: lane.laneKey, commandRef: `${lane.laneKey}:${position}`, instruction };
    const needless = giver.isUnderWay(command.commandRef) ? undefined : judgeDial(instruction, legs);
    if (needless === 'over') done.push(position);
    if (needless === 'over') continue;
    if (needless === 'given_up') return { done, stop: { waiting, failed: 'leg_gone', open: false } };
    if (heldUntil - performance.now() < lane.leaseMs * LEASE_LEFT_MIN) {
      heldUntil = performance.now() + lane.leaseMs;
      await renewLane(db, lane);
    }
    const given = await giver.give({ ledger, command, unsure });
    if (given.is === 'done') {
      done.push(position);
      continue;
    }
    if (given.is === 'refused') return { done, stop: { waiting, failed: given.reason, open: false } };
    const waits = instruction.do === 'hang_up' ? HANG_UP_RETRY_MS : RETRY_MS;
    const waitMs = waits[done.length > 0 ? 0 : failures];
    const open = given.is === 'open';
    // Once in doubt, it is undone in any case: the worker that had it before may only have stood still.
    if (waitMs === undefined) return { done, stop: { waiting, failed: 'unavailable', open: open || unsure } };
    const askedMs = given.is === 'away' ? Math.min(given.retryAfterMs ?? 0, RETRY_AFTER_MS_MAX) : 0;
    return { done, stop: { waiting, open, againInMs: Math.max(waitMs, askedMs) } };
  }
  return { done };
}

/** A leg that has been hung up before it was dialled is not dialled any more. */
function judgeDial(command: VoiceInstruction, legs: readonly Leg[] | null): 'over' | 'given_up' | undefined {
  if (command.do !== 'dial') return undefined;
  const state = legs?.find(({ id }) => id === command.legRef)?.state;
  if (state === 'ended') return 'over';
  return state === 'ending' ? 'given_up' : undefined;
}

async function conclude({ db }: LaneContext, lane: Lane, { done, stop }: RoundEnd): Promise<void> {
  if (stop === undefined) {
    await settleCommands(db, lane, done);
    return;
  }
  const { waiting, failed, open, againInMs } = stop;
  const { position, command } = waiting;
  await db.transaction(async (tx) => {
    if (failed !== undefined) {
      // The call before the lane: everybody locks them in this order.
      const input: CallInput = { type: 'command_failed', command, reason: failed };
      await stepCallWith(tx, lane, lane.laneKey, { inputs: [input], also: open ? undoing(command) : [] });
      await settleCommands(tx, lane, [...done, position]);
      return;
    }
    if (done.length > 0) await settleCommands(tx, lane, done);
    if (open) await doubtCommand(tx, lane, position);
    await postponeLane(tx, lane, { delayMs: againInMs ?? 0 });
  });
}

/** What ends a leg or a stream that the carrier may have made, and that the call knows nothing of any more. */
function undoing(command: VoiceInstruction): CallEffect[] {
  if (command.do === 'start_stream') {
    return [{ do: 'command', command: { do: 'stop_stream', streamRef: command.streamRef } }];
  }
  if (command.do !== 'dial') return [];
  return [{ do: 'command', command: { do: 'hang_up', legRef: command.legRef, reason: 'ended' } }];
}
