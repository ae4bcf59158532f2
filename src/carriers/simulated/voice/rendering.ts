/**
 * The audio of a simulated call, made from the books: what was said and played, each in its place, and between that the
 * pulsing tone by which a simulated party shows that it is there.
 */
import { decodeMulaw } from '../../../audio/mulaw.ts';
import { mixInto, type Pcm, samplesOf, silence } from '../../../audio/pcm.ts';
import { beep, dtmf, pulsingTone } from '../../../audio/tones.ts';
import { isWebClient } from '../../../domain/voice/index.ts';
import type { Sound } from './books.ts';
import { isHeardIn, type Span } from './listening.ts';
import type { SimulatedLeg } from './queries.ts';

type Synthesize = (text: string) => Promise<Pcm>;

/** What a party sounds like while it says nothing. */
export const PARTY_TONE_HZ = { customer: 440, agent: 620 } as const;
export const TONE_AMPLITUDE = 4_096;

/** Audio that was heard live, from a moment on: mu-law. */
export type LiveAudio = { readonly starts_at: Date; readonly audio: Uint8Array };

type Books = {
  readonly legs: readonly SimulatedLeg[];
  readonly sounds: readonly Sound[];
  readonly live?: readonly LiveAudio[];
};

/** What was audible to a listener on these legs: their parties, and what was played to them, mixed. */
export async function renderLegs(
  synthesize: Synthesize,
  { legs, sounds, live = [] }: Books,
  { startsAt, endsAt }: Span,
): Promise<Pcm> {
  const refs = new Set(legs.map((leg) => leg.leg_ref));
  const pcm = silence(Math.max(0, endsAt.getTime() - startsAt.getTime()));
  const isOf = ({ said_by, played_to }: Sound) =>
    (said_by !== null && refs.has(said_by)) || played_to.some((ref) => refs.has(ref));
  for (const sound of sounds.filter((one) => isOf(one) && isHeardIn(one, { startsAt, endsAt }))) {
    const made = await soundOf(synthesize, sound);
    mixFrom(pcm, made.subarray(0, samplesOf(sound.duration_ms)), sound.starts_at.getTime() - startsAt.getTime());
  }
  for (const { starts_at, audio } of live) {
    mixFrom(pcm, decodeMulaw(audio), starts_at.getTime() - startsAt.getTime());
  }
  for (const leg of legs) {
    const own = sounds.filter((sound) => sound.said_by === leg.leg_ref);
    mixTone(pcm, leg, { own, startsAt, endsAt });
  }
  return pcm;
}

/** What began before the span is heard from its middle on. */
function mixFrom(pcm: Pcm, made: Pcm, atMs: number): void {
  const at = samplesOf(atMs);
  mixInto(pcm, made.subarray(Math.max(0, -at)), Math.max(0, at));
}

export async function soundOf(synthesize: Synthesize, { kind, content }: Sound): Promise<Pcm> {
  if (kind === 'keys') return dtmf(content);
  return kind === 'beep' ? beep() : synthesize(content);
}

/** The party's tone from its answer to its end, but for where it speaks or leaves a message. */
function mixTone(pcm: Pcm, leg: SimulatedLeg, { own, startsAt, endsAt }: Span & { own: readonly Sound[] }): void {
  // Who sits at a web client has a voice of his own.
  if (leg.answered_at === null || leg.leaves_message || isWebClient(leg.address)) return;
  const from = Math.max(leg.answered_at.getTime(), startsAt.getTime());
  const to = Math.min(leg.ended_at?.getTime() ?? endsAt.getTime(), endsAt.getTime());
  const pauses = own
    .map((sound) => [sound.starts_at.getTime(), sound.starts_at.getTime() + sound.duration_ms] as const)
    .sort((a, b) => a[0] - b[0]);
  let at = from;
  for (const [begins, ends] of [...pauses, [to, to] as const]) {
    if (begins > at) {
      const tone = pulsingTone({
        frequencyHz: PARTY_TONE_HZ[leg.party],
        samples: samplesOf(Math.min(begins, to) - at),
        amplitude: TONE_AMPLITUDE,
        from: samplesOf(at - leg.answered_at.getTime()),
      });
      mixInto(pcm, tone, samplesOf(at - startsAt.getTime()));
    }
    at = Math.max(at, ends);
    if (at >= to) return;
  }
}
