/** The message that a caller leaves on a voicemail, in the books of its call. */
import {
  type EndedRecording,
  endOf,
  endRecordings,
  replaceSound,
  type SimulatedCall,
  type Sound,
  takeUnreported,
} from './books.ts';
import type { SimulatedLeg } from './queries.ts';

/** What a caller says when nobody tells it, and for how long. */
export const MESSAGE_TEXT = 'Hello, please call me back when you can.';
export const MESSAGE_MS = 3_000;

type Message = { readonly startsAt: Date; readonly text: string; readonly durationMs: number };

/** What a caller without steps of its own says to the voicemail, if it has begun. */
export function findMessage({ sounds }: SimulatedCall, leg: SimulatedLeg): Sound | undefined {
  return sounds.find(({ ref }) => ref === refOf(leg));
}

/**
 * Enters the message of a caller, in place of one that it is leaving already.
 * @returns in how many milliseconds it is over
 */
export function enterMessage(call: SimulatedCall, leg: SimulatedLeg, { startsAt, text, durationMs }: Message): number {
  const lastsMs = call.now.getTime() - startsAt.getTime();
  const duration_ms = Math.max(durationMs, lastsMs);
  replaceSound(call, {
    ref: refOf(leg),
    said_by: leg.leg_ref,
    played_to: [],
    kind: 'speech',
    content: text,
    starts_at: startsAt,
    duration_ms,
  });
  // It is written down from its recording.
  takeUnreported(call, refOf(leg));
  return duration_ms - lastsMs;
}

/** Ends the recording of a message that is over with the last of what was said, however late that is noticed. */
export function endMessage(call: SimulatedCall, leg: SimulatedLeg): EndedRecording[] {
  if (findMessage(call, leg) === undefined) return [];
  const endsAtMs = Math.max(...call.sounds.filter(({ said_by }) => said_by === leg.leg_ref).map(endOf));
  const at = new Date(Math.min(endsAtMs, call.now.getTime()));
  return findMessageRecordings(call, leg).flatMap(({ recording_ref }) => endRecordings(call, recording_ref, at));
}

/** The recordings that take what a caller says. */
export function findMessageRecordings({ recordings }: SimulatedCall, { leg_ref }: SimulatedLeg) {
  return recordings.filter(({ leg_refs, ended_at }) => ended_at === null && leg_refs.includes(leg_ref));
}

const refOf = (leg: SimulatedLeg) => `message:${leg.leg_ref}`;
