/**
 * Who is listened to, and what a recording has. Scripts, people played by hand, audio and transcripts all go by these
 * rules: so what somebody says is in both the audio and the transcript of a recording, or in neither.
 */
import type { BookedSound, SimulatedCall, Sound } from './books.ts';
import { findMessageRecordings } from './message.ts';
import type { SimulatedLeg } from './queries.ts';

export type Span = { readonly startsAt: Date; readonly endsAt: Date };

/** True for a sound of which at least a part lies in the span. */
export function isHeardIn(
  { starts_at, duration_ms }: Pick<Sound, 'starts_at' | 'duration_ms'>,
  { startsAt, endsAt }: Span,
): boolean {
  const begins = Math.max(starts_at.getTime(), startsAt.getTime());
  return begins < Math.min(starts_at.getTime() + duration_ms, endsAt.getTime());
}

/**
 * From when on somebody listens to a party: the other one, or a voicemail, which does once its tone is over. Undefined
 * where nobody does, or it is not known yet.
 */
export function listensFrom(call: SimulatedCall, leg: SimulatedLeg): Date | undefined {
  if (call.bridged_at !== null) return call.bridged_at;
  return leg.leaves_message ? findMessageRecordings(call, leg)[0]?.starts_at : undefined;
}

/** True for what was said where nobody listened yet: it waits, and is heard by nobody before its time. */
export function waitsForListener({ kind, said_by }: Sound, { bridged, legs }: Listeners): boolean {
  const isOf = (leg: Listeners['legs'][number]) => leg.leg_ref === said_by && !leg.leaves_message;
  return kind === 'speech' && !bridged && legs.some(isOf);
}

type Listeners = {
  readonly bridged: boolean;
  readonly legs: readonly Pick<SimulatedLeg, 'leg_ref' | 'leaves_message'>[];
};

/** What a party has to say once it is listened to, in order. */
export function listWaiting({ sounds, legs, bridged_at }: SimulatedCall, { leg_ref }: SimulatedLeg): BookedSound[] {
  const listeners = { bridged: bridged_at !== null, legs };
  return sounds
    .filter((sound) => sound.said_by === leg_ref && waitsForListener(sound, listeners))
    .sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime());
}
