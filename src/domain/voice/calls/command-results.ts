/** The results of dispatched commands: what follows each, and their writing. */
import type { VoiceInstruction, VoiceRefusal } from '../../../carriers/ports/voice.ts';
import type { Database } from '../../../db/database.ts';
import type { Lane } from '../../../queue/lanes/lane.ts';
import type { CallEffect, CallInput } from './call.ts';
import type { DispatchResult } from './command-dispatcher.ts';
import { stepCallWith } from './executor.ts';
import { postponeCommands, settleCommands, type WaitingCommand } from './lane-queries.ts';

/** Delays of the retries while the carrier is unavailable. After the last one the command has failed. */
const RETRY_MS = [250, 500, 1_000];
/** A leg that is not hung up goes on costing money, so a hang-up is retried for some minutes. */
const HANG_UP_RETRY_MS = [...RETRY_MS, 2_000, 5_000, 10_000, 20_000, ...Array<number>(10).fill(30_000)];
/** The longest delay that a carrier may ask for, if it is longer than that of the retry. */
const RETRY_AFTER_MS_MAX = 5_000;

/**
 * - done: the carrier has the command, or it is needless.
 * - failed: it is not carried out.
 * - postponed: it is dispatched again.
 * `unknown`: the carrier may have it nevertheless.
 */
export type CommandResult = { readonly waiting: WaitingCommand } & (
  | { readonly outcome: 'done' }
  | { readonly outcome: 'failed'; readonly reason: VoiceRefusal | 'unavailable'; readonly unknown: boolean }
  | { readonly outcome: 'postponed'; readonly inMs: number; readonly unknown: boolean }
);

/** Returns what follows the dispatch of a command. */
export function resultOf(waiting: WaitingCommand, result: DispatchResult): CommandResult {
  if (result.outcome === 'dispatched') return { waiting, outcome: 'done' };
  if (result.outcome === 'refused') return { waiting, outcome: 'failed', reason: result.reason, unknown: false };
  const unknown = result.outcome === 'unknown';
  const delayMs = (waiting.instruction.do === 'hang_up' ? HANG_UP_RETRY_MS : RETRY_MS)[waiting.failures];
  if (delayMs === undefined) {
    // A command that was ever unsure is undone in any case: the worker that dispatched it first may only be stalled.
    return { waiting, outcome: 'failed', reason: 'unavailable', unknown: unknown || waiting.unsure };
  }
  const askedMs = unknown ? 0 : Math.min(result.retryAfterMs ?? 0, RETRY_AFTER_MS_MAX);
  return { waiting, outcome: 'postponed', inMs: Math.max(delayMs, askedMs), unknown };
}

/** Writes results: takes done and failed commands off the lane, and steps the call for those that failed. */
export async function writeResults(db: Database, lane: Lane, results: readonly CommandResult[]): Promise<void> {
  const failed = results.filter((result) => result.outcome === 'failed');
  const postponed = results.filter((result) => result.outcome === 'postponed');
  const settled = results.flatMap(({ outcome, waiting }) => (outcome === 'postponed' ? [] : [waiting.position]));
  if (failed.length === 0 && postponed.length === 0) {
    await settleCommands(db, lane, settled);
    return;
  }
  await db.transaction(async (tx) => {
    if (failed.length > 0) {
      // Every writer locks the call before the lane.
      const inputs = failed.map(({ waiting, reason }): CallInput => {
        return { type: 'command_failed', command: waiting.instruction, reason };
      });
      const also = failed.flatMap(({ waiting, unknown }) => (unknown ? undoing(waiting.instruction) : []));
      await stepCallWith(tx, lane, lane.laneKey, { inputs, also });
    }
    if (settled.length > 0) await settleCommands(tx, lane, settled);
    const again = postponed.map(({ waiting, unknown, inMs }) => {
      return { position: waiting.position, unsure: unknown, inMs };
    });
    if (again.length > 0) await postponeCommands(tx, lane, again);
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
