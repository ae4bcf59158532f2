/**
 * The rules of a call's commands: their order, and the effects of their results. Commands to one leg are dispatched one
 * after the other. Commands to different legs are dispatched concurrently, so a slow or failing leg does not delay the
 * others. A command to several legs waits for the earlier commands of each of them, and their later commands wait for
 * it. A report of the carrier may come before its reply: once it shows that a leg rings or is answered, the later
 * commands of the leg do not wait for the reply.
 */
import type { VoiceInstruction } from '../../../../carriers/ports/voice.ts';
import type { Leg } from '../state/call.ts';
import type { CallEffect, CommandFailure } from '../state/call-step.ts';
import type { DispatchResult } from './command-dispatcher.ts';
import type { CommandBatch, WaitingCommand } from './lane-queries.ts';

/** The progress of a command in memory. `done`: the carrier has it. */
export type CommandProgress = 'in_flight' | 'done' | 'failed';

/**
 * Returns the commands that may be dispatched now, in their order.
 * @param progressOf returns undefined for a command that has not been dispatched
 */
export function listReady(
  { commands, legs }: Pick<CommandBatch, 'commands' | 'legs'>,
  progressOf: (position: number) => CommandProgress | undefined,
): WaitingCommand[] {
  const taken = new Set<string>();
  return commands.filter(({ position, instruction, waitMs }) => {
    const progress = progressOf(position);
    if (progress === 'done' || (progress === 'in_flight' && isEvident(instruction, legs))) return false;
    const commandLegs = legsOf(instruction, legs ?? []);
    const isFree = commandLegs.every((leg) => !taken.has(leg));
    for (const leg of commandLegs) taken.add(leg);
    return isFree && progress === undefined && waitMs <= 0;
  });
}

/** Returns true if a report has shown that the carrier has carried out a dial or an answer. */
export function isEvident(instruction: VoiceInstruction, legs: CommandBatch['legs']): boolean {
  if (instruction.do !== 'dial' && instruction.do !== 'answer') return false;
  const state = legs?.find(({ id }) => id === instruction.legRef)?.state;
  return state === 'up' || state === 'confirming' || (state === 'ringing' && instruction.do === 'dial');
}

/** Returns the ids of the legs that a command is for. */
function legsOf(instruction: VoiceInstruction, legs: readonly Leg[]): readonly string[] {
  switch (instruction.do) {
    case 'bridge':
    case 'speak':
    case 'start_recording':
    case 'start_transcription':
      return instruction.legRefs;
    // Only the customer gathers and has streams, and each recording contains the customer.
    case 'pause_recording':
    case 'resume_recording':
    case 'stop_gather':
    case 'stop_stream':
      return legs.flatMap(({ id, party }) => (party === 'customer' ? [id] : []));
    // A recording ends with its legs. So a hang-up does not wait for a stop of the recording.
    case 'stop_recording':
    // One speech may be to several legs.
    case 'stop_speech':
      return legs.map(({ id }) => id);
    default:
      return [instruction.legRef];
  }
}

/** Delays of the retries while the carrier is unavailable. After the last one the command has failed. */
const RETRY_MS = [250, 500, 1_000];
/** A leg that is not hung up still costs money, so a hang-up is retried for some minutes. */
const HANG_UP_RETRY_MS = [...RETRY_MS, 2_000, 5_000, 10_000, 20_000, ...Array<number>(10).fill(30_000)];
/**
 * Delays of a dial that the operator's account at the carrier does not allow now. The account may allow it when another
 * call has ended.
 */
const ACCOUNT_RETRY_MS = [1_000, 2_000, 4_000, 4_000, 4_000];
/** Such a dial may use at most this share of its ring time for waiting, so that its party can still answer. */
const WAITING_SHARE = 0.5;
/** A carrier may ask for a longer delay than the delays above. The delay is then as long, but at most this long. */
const RETRY_AFTER_MS_MAX = 5_000;

/**
 * - done: the carrier has the command, or it is needless.
 * - failed: it is not carried out.
 * - postponed: it is dispatched again later. `unknown`: the carrier may have it.
 */
export type CommandResult = { readonly waiting: WaitingCommand } & (
  | { readonly outcome: 'done' }
  | { readonly outcome: 'failed'; readonly reason: CommandFailure; readonly unknown: boolean }
  | { readonly outcome: 'postponed'; readonly inMs: number; readonly unknown: boolean }
);

/** Returns the result of a dispatched command. */
export function resultOf(waiting: WaitingCommand, result: DispatchResult): CommandResult {
  if (result.outcome === 'dispatched') return { waiting, outcome: 'done' };
  if (result.outcome === 'refused') return { waiting, outcome: 'failed', reason: result.reason, unknown: false };
  if (result.outcome === 'unavailable' && result.reason !== undefined) return waitForAccount(waiting, result.reason);
  const unknown = result.outcome === 'unknown';
  const delayMs = (waiting.instruction.do === 'hang_up' ? HANG_UP_RETRY_MS : RETRY_MS)[waiting.failures];
  if (delayMs === undefined) {
    // A command that was ever unsure is always undone: if the worker that dispatched it first is only stalled, it may
    // still reach the carrier.
    return { waiting, outcome: 'failed', reason: 'unavailable', unknown: unknown || waiting.unsure };
  }
  const askedMs = unknown ? 0 : Math.min(result.retryAfterMs ?? 0, RETRY_AFTER_MS_MAX);
  return { waiting, outcome: 'postponed', inMs: Math.max(delayMs, askedMs), unknown };
}

/**
 * Returns the result of a dial that the operator's account does not allow. It is tried again while the leg may still
 * wait.
 */
function waitForAccount(waiting: WaitingCommand, reason: CommandFailure): CommandResult {
  const { instruction, failures, unsure } = waiting;
  const delayMs = ACCOUNT_RETRY_MS[failures];
  const waitedMs = ACCOUNT_RETRY_MS.slice(0, failures).reduce((sum, ms) => sum + ms, 0);
  const waitsMaxMs = instruction.do === 'dial' ? instruction.ringMs * WAITING_SHARE : 0;
  if (delayMs === undefined || waitedMs + delayMs > waitsMaxMs) {
    return { waiting, outcome: 'failed', reason, unknown: unsure };
  }
  return { waiting, outcome: 'postponed', inMs: delayMs, unknown: false };
}

/** Returns the commands that end a leg or stream at the carrier that the call no longer has. */
export function undoing(instruction: VoiceInstruction): CallEffect[] {
  if (instruction.do === 'start_stream') {
    return [{ do: 'command', command: { do: 'stop_stream', streamRef: instruction.streamRef } }];
  }
  if (instruction.do !== 'dial') return [];
  return [{ do: 'command', command: { do: 'hang_up', legRef: instruction.legRef, reason: 'ended' } }];
}
