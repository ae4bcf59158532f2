/**
 * Who hears a party, and what a recording contains. Scripts, controls, audio and transcripts share these rules, so the
 * audio and the transcript of a recording contain the same utterances.
 */
import { type CallSound, endOf, type Leg, type Recording, type SimulatedCall, type Sound } from '../call.ts';

export type Span = { readonly startsAt: Date; readonly endsAt: Date };

/** True for a sound of which at least a part lies in the span. */
export function isHeardIn(sound: Pick<Sound, 'starts_at' | 'duration_ms'>, { startsAt, endsAt }: Span): boolean {
  const begins = Math.max(sound.starts_at.getTime(), startsAt.getTime());
  return begins < Math.min(endOf(sound), endsAt.getTime());
}

/** Returns the running recordings that contain a leg. */
export function listRunningRecordings({ recordings }: SimulatedCall, { leg_ref }: Leg): Recording[] {
  return recordings.filter(({ leg_refs, ended_at }) => ended_at === null && leg_refs.includes(leg_ref));
}

/**
 * Returns the moment from which a party is heard: by the other party once they are bridged, or by a voicemail once its
 * tone is over. Undefined if there is no listener, or it is not known yet.
 */
export function listensFrom(call: SimulatedCall, leg: Leg): Date | undefined {
  if (call.bridged_at !== null) return call.bridged_at;
  return leg.leaves_message ? listRunningRecordings(call, leg)[0]?.starts_at : undefined;
}

type Listeners = {
  readonly bridged: boolean;
  readonly legs: readonly Pick<Leg, 'leg_ref' | 'leaves_message'>[];
};

/** True for an utterance without a listener: it waits, and is not audible before there is one. */
export function waitsForListener({ kind, said_by }: Sound, { bridged, legs }: Listeners): boolean {
  return kind === 'speech' && !bridged && legs.some((leg) => leg.leg_ref === said_by && !leg.leaves_message);
}

/** Returns what a party says once it has a listener, in order. */
export function listWaiting({ sounds, legs, bridged_at }: SimulatedCall, { leg_ref }: Leg): CallSound[] {
  const listeners = { bridged: bridged_at !== null, legs };
  return sounds
    .filter((sound) => sound.said_by === leg_ref && waitsForListener(sound, listeners))
    .sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime());
}
