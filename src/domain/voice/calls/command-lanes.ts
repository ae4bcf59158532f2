/**
 * Dispatches the commands of calls. Each call has a lane, so its commands are dispatched one at a time and in order, by
 * whichever worker has the lane. The position of a command is its name, and a carrier carries out a name once.
 *
 * A worker dispatches a command only while at least half of its lease is left. A worker that resumes after its lease,
 * when another has the lane, therefore dispatches nothing more: a dial never follows its own hang-up. The result of a
 * command and its end in the lane are written in one transaction.
 */
import type { VoiceInstruction, VoiceRefusal } from '../../../carriers/ports/voice.ts';
import type { Context } from '../../../context.ts';
import type { Lane, LaneHandler } from '../../../queue/lanes/lane.ts';
import { isLaneEnded, postponeLane, renewLane } from '../../../queue/lanes/lanes.ts';
import type { Speech } from '../../../speech/port.ts';
import type { CallEffect, CallInput, Leg } from './call.ts';
import { type CommandDispatcher, createCommandDispatcher, type DispatchResult } from './command-dispatcher.ts';
import { stepCallWith } from './executor.ts';
import { type CommandBatch, markUnsure, readCommands, settleCommands, type WaitingCommand } from './lane-queries.ts';
import { CALL_LANES } from './write-queries.ts';

/** Lanes that one process drains concurrently, and those of one ledger, which leaves room for other ledgers. */
const LANES_MAX = 48;
const LEDGER_LANES_MAX = 36;
/** Lanes of one process that wait for slow carriers beside those. */
const LINGERING_MAX = 1_024;
/** After this many rounds, lanes of other calls take their turn. */
const ROUNDS_PER_CLAIM = 8;
/** The share of a lease that must be left to dispatch a command. */
const LEASE_LEFT_MIN = 0.5;

/** Delays of the retries while the carrier is unavailable. After the last one the command has failed. */
const RETRY_MS = [250, 500, 1_000];
/** A leg that is not hung up goes on costing money, so a hang-up is retried for some minutes. */
const HANG_UP_RETRY_MS = [...RETRY_MS, 2_000, 5_000, 10_000, 20_000, ...Array<number>(10).fill(30_000)];
/** The longest delay that a carrier may ask for, if it is longer than that of the retry. */
const RETRY_AFTER_MS_MAX = 5_000;

type LaneContext = Pick<Context, 'db' | 'carriers' | 'log'>;

/** Returns the handler of calls' lanes for this process. */
export function createCallLanes(context: LaneContext, speech: Pick<Speech, 'voice'>): LaneHandler {
  const dispatcher = createCommandDispatcher(context, speech);
  return {
    kind: CALL_LANES,
    concurrencyMax: LANES_MAX,
    groupConcurrency: () => LEDGER_LANES_MAX,
    lingeringMax: LINGERING_MAX,
    urgent: true,
    prompt: true,
    countsItself: true,
    drain: async (lane) => {
      let failures = lane.failures;
      for (let round = 0; round < ROUNDS_PER_CLAIM && !isLaneEnded(lane); round++) {
        const readAt = performance.now();
        const batch = await readCommands(context.db, lane);
        if (batch.commands.length === 0) throw new Error(`the lane of ${lane.laneKey} counts commands that are gone`);
        const leasedUntil = readAt + batch.leaseLeftMs;
        const end = await dispatchBatch(context, lane, { dispatcher, batch, leasedUntil, failures });
        await writeResults(context, lane, end);
        failures = 0;
      }
    },
  };
}

/** The results of a round: the commands that are done, and the one that stopped it, if one did. */
type RoundEnd = {
  readonly done: readonly number[];
  readonly stop?: {
    readonly waiting: WaitingCommand;
    readonly failed?: VoiceRefusal | 'unavailable';
    /** The carrier may have the command nevertheless. */
    readonly unknown: boolean;
    /** Absent if the command has failed. */
    readonly againInMs?: number;
  };
};

type Round = {
  readonly dispatcher: CommandDispatcher;
  readonly batch: CommandBatch;
  /** By the clock of `performance`. */
  readonly leasedUntil: number;
  readonly failures: number;
};

async function dispatchBatch({ db }: LaneContext, lane: Lane, round: Round): Promise<RoundEnd> {
  const { dispatcher, failures } = round;
  const { ledger, connectionId, legs, commands } = round.batch;
  const done: number[] = [];
  let { leasedUntil } = round;
  for (const waiting of commands) {
    const { position, instruction, unsure } = waiting;
    const command = { callRef: lane.laneKey, commandRef: `${lane.laneKey}:${position}`, instruction };
    const needless = dispatcher.isPending(command.commandRef) ? undefined : judgeDial(instruction, legs);
    if (needless === 'ended') {
      done.push(position);
      continue;
    }
    if (needless === 'hung_up') return { done, stop: { waiting, failed: 'leg_gone', unknown: false } };
    if (leasedUntil - performance.now() < lane.leaseMs * LEASE_LEFT_MIN) {
      leasedUntil = performance.now() + lane.leaseMs;
      await renewLane(db, lane);
    }
    const result = await dispatcher.dispatch({ ledger, connectionId, command, unsure });
    if (result.outcome === 'dispatched') {
      done.push(position);
      continue;
    }
    return { done, stop: stopFor(waiting, result, done.length > 0 ? 0 : failures) };
  }
  return { done };
}

/** Returns what follows an undispatched command: its failure, or a retry with the delay after this many failures. */
function stopFor(
  waiting: WaitingCommand,
  result: Exclude<DispatchResult, { outcome: 'dispatched' }>,
  failures: number,
): NonNullable<RoundEnd['stop']> {
  if (result.outcome === 'refused') return { waiting, failed: result.reason, unknown: false };
  const unknown = result.outcome === 'unknown';
  const delayMs = (waiting.instruction.do === 'hang_up' ? HANG_UP_RETRY_MS : RETRY_MS)[failures];
  // A command that was ever unsure is undone in any case: the worker that dispatched it first may only be stalled.
  if (delayMs === undefined) return { waiting, failed: 'unavailable', unknown: unknown || waiting.unsure };
  const askedMs = unknown ? 0 : Math.min(result.retryAfterMs ?? 0, RETRY_AFTER_MS_MAX);
  return { waiting, unknown, againInMs: Math.max(delayMs, askedMs) };
}

/** Returns why a dial is needless: its leg has ended, or was hung up before it was dialled. */
function judgeDial(instruction: VoiceInstruction, legs: readonly Leg[] | null): 'ended' | 'hung_up' | undefined {
  if (instruction.do !== 'dial') return undefined;
  const state = legs?.find(({ id }) => id === instruction.legRef)?.state;
  if (state === 'ended') return 'ended';
  return state === 'ending' ? 'hung_up' : undefined;
}

async function writeResults({ db }: LaneContext, lane: Lane, { done, stop }: RoundEnd): Promise<void> {
  if (stop === undefined) {
    await settleCommands(db, lane, done);
    return;
  }
  const { waiting, failed, unknown, againInMs } = stop;
  const { position, instruction } = waiting;
  await db.transaction(async (tx) => {
    if (failed !== undefined) {
      // Every writer locks the call before the lane.
      const input: CallInput = { type: 'command_failed', command: instruction, reason: failed };
      await stepCallWith(tx, lane, lane.laneKey, { inputs: [input], also: unknown ? undoing(instruction) : [] });
      await settleCommands(tx, lane, [...done, position]);
      return;
    }
    if (done.length > 0) await settleCommands(tx, lane, done);
    if (unknown) await markUnsure(tx, lane, position);
    await postponeLane(tx, lane, { delayMs: againInMs ?? 0 });
  });
}

/** Returns the commands that end a leg or stream which the carrier may have made and the call no longer knows. */
function undoing(instruction: VoiceInstruction): CallEffect[] {
  if (instruction.do === 'start_stream') {
    return [{ do: 'command', command: { do: 'stop_stream', streamRef: instruction.streamRef } }];
  }
  if (instruction.do !== 'dial') return [];
  return [{ do: 'command', command: { do: 'hang_up', legRef: instruction.legRef, reason: 'ended' } }];
}
