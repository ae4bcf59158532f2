/**
 * The order of a call's commands. Those to one leg are dispatched one after the other. Those to different legs are
 * dispatched concurrently, so a slow or failing leg delays no other. A command to several legs waits for the earlier
 * commands of each, and the later commands of each wait for it. A report of the carrier may come before its reply: once
 * it shows that a leg rings or is answered, the later commands of the leg do not wait for the reply.
 */
import type { VoiceInstruction } from '../../../carriers/ports/voice.ts';
import type { Leg } from './call.ts';
import type { CommandBatch, WaitingCommand } from './lane-queries.ts';

/** What is known of a command beyond its row. `done`: the carrier has it. */
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
    const own = legsOf(instruction, legs ?? []);
    const isFree = own.every((leg) => !taken.has(leg));
    for (const leg of own) taken.add(leg);
    return isFree && progress === undefined && waitMs <= 0;
  });
}

/** Returns true if a report has shown that the carrier has carried out a dial or an answer. */
export function isEvident(instruction: VoiceInstruction, legs: CommandBatch['legs']): boolean {
  if (instruction.do !== 'dial' && instruction.do !== 'answer') return false;
  const state = legs?.find(({ id }) => id === instruction.legRef)?.state;
  return state === 'up' || (state === 'ringing' && instruction.do === 'dial');
}

/** Returns the ids of the legs that a command is for. */
function legsOf(instruction: VoiceInstruction, legs: readonly Leg[]): readonly string[] {
  switch (instruction.do) {
    case 'bridge':
    case 'speak':
    case 'start_recording':
    case 'start_transcription':
      return instruction.legRefs;
    // Prompts and streams are the customer's.
    case 'stop_prompt':
    case 'stop_gather':
    case 'stop_stream':
      return legs.flatMap(({ id, party }) => (party === 'customer' ? [id] : []));
    // A recording ends with its legs, so their hang-up goes first.
    case 'stop_recording':
      return legs.map(({ id }) => id);
    default:
      return [instruction.legRef];
  }
}
