/**
 * The sounds of a simulated call as audio, each at its moment: mixed for a recording, and frame by frame for live
 * audio. While a party is silent, it is a pulsing tone.
 */
import { FRAME_MS } from '../../../audio/frames.ts';
import { decodeMulaw } from '../../../audio/mulaw.ts';
import { toMulawFrames } from '../../../audio/mulaw-frames.ts';
import { mixInto, type Pcm, SAMPLE_RATE_HZ, samplesOf, silence } from '../../../audio/pcm.ts';
import { beep, dtmf, pulsingTone } from '../../../audio/tones.ts';
import type { AudioSource, Line } from '../../ports/call-audio.ts';
import type { Party } from '../../ports/voice.ts';
import { endOf, isHeardIn, isWebClient, type Leg, type Sound, type Span } from './call.ts';

type Synthesize = (text: string) => Promise<Pcm>;

/** The tone of a party that is silent. */
const PARTY_TONE_HZ = { customer: 440, agent: 620 } as const;
const TONE_AMPLITUDE = 4_096;

/** Audio that was heard live, from a moment on: mu-law. */
export type LiveAudio = { readonly starts_at: Date; readonly audio: Uint8Array };

type CallSounds = {
  readonly legs: readonly Leg[];
  readonly sounds: readonly Sound[];
  readonly live?: readonly LiveAudio[];
};

/** Renders what was audible on these legs in a span: their parties, and what was played to them, mixed. */
export async function renderLegs(
  synthesize: Synthesize,
  { legs, sounds, live = [] }: CallSounds,
  span: Span,
): Promise<Pcm> {
  const startMs = span.startsAt.getTime();
  const refs = new Set(legs.map((leg) => leg.leg_ref));
  const pcm = silence(Math.max(0, span.endsAt.getTime() - startMs));
  const isOf = ({ said_by, played_to }: Sound) =>
    (said_by !== null && refs.has(said_by)) || played_to.some((ref) => refs.has(ref));
  for (const sound of sounds.filter((one) => isOf(one) && isHeardIn(one, span))) {
    const made = await renderSound(synthesize, sound);
    mixFrom(pcm, made.subarray(0, samplesOf(sound.duration_ms)), sound.starts_at.getTime() - startMs);
  }
  for (const { starts_at, audio } of live) mixFrom(pcm, decodeMulaw(audio), starts_at.getTime() - startMs);
  for (const leg of legs) {
    const own = sounds.filter((sound) => sound.said_by === leg.leg_ref);
    mixTone(pcm, leg, { own, ...span });
  }
  return pcm;
}

/** Mixes audio in at a moment. Audio that begins before the span is heard from its middle on. */
function mixFrom(pcm: Pcm, made: Pcm, atMs: number): void {
  const at = samplesOf(atMs);
  mixInto(pcm, made.subarray(Math.max(0, -at)), Math.max(0, at));
}

export async function renderSound(synthesize: Synthesize, { kind, content }: Sound): Promise<Pcm> {
  if (kind === 'digits') return dtmf(content);
  if (kind === 'beep') return beep();
  return await synthesize(content);
}

/** Mixes in the tone of a party from its answer to its end, except while it speaks or leaves a message. */
function mixTone(pcm: Pcm, leg: Leg, { own, startsAt, endsAt }: Span & { own: readonly Sound[] }): void {
  // The person at a web client has a voice, so there is no tone.
  if (leg.answered_at === null || leg.leaves_message || isWebClient(leg.address)) return;
  const from = Math.max(leg.answered_at.getTime(), startsAt.getTime());
  const to = Math.min(leg.ended_at?.getTime() ?? endsAt.getTime(), endsAt.getTime());
  const spoken = own.map((sound) => [sound.starts_at.getTime(), endOf(sound)] as const).sort((a, b) => a[0] - b[0]);
  let at = from;
  for (const [begins, ends] of [...spoken, [to, to] as const]) {
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

const tone = (frequencyHz: number) =>
  toMulawFrames(pulsingTone({ frequencyHz, samples: SAMPLE_RATE_HZ, amplitude: TONE_AMPLITUDE }));

/** One second of each tone. The frequencies are whole numbers, so the second repeats without a break. */
const TONES = { customer: tone(PARTY_TONE_HZ.customer), agent: tone(PARTY_TONE_HZ.agent) } as const;

/** Makes the tone of a party. `isSilent` is true while the party is absent, or speaks. */
export function toneSource(party: Party, isSilent: (tick: number) => boolean): AudioSource {
  const frames = TONES[party];
  let firstTick: number | undefined;
  return {
    into: [party === 'customer' ? 'inbound' : 'outbound'],
    // While a stream's client plays to the customer, only that is heard.
    yields: party === 'agent',
    read: (tick) => {
      if (isSilent(tick)) return undefined;
      firstTick ??= tick;
      return frames[(tick - firstTick) % frames.length];
    },
  };
}

export type PlayedSound = AudioSource & {
  /** Ends the sound after this much of it. */
  cut(durationMs: number): void;
  /** True while the sound is heard. */
  isHeard(tick: number): boolean;
};

/** Makes a sound that starts at a tick. If the tick has passed, the sound is heard from its middle on. */
export function soundSource(
  pcm: Pcm,
  { into, firstTick, durationMs }: { into: readonly Line[]; firstTick: number; durationMs: number },
): PlayedSound {
  const frames = toMulawFrames(pcm);
  let length = Math.ceil(durationMs / FRAME_MS);
  return {
    into,
    cut: (lastsMs) => {
      length = Math.ceil(lastsMs / FRAME_MS);
    },
    isHeard: (tick) => tick >= firstTick && tick < firstTick + length,
    read: (tick) => (tick >= firstTick && tick < firstTick + length ? frames[tick - firstTick] : undefined),
  };
}
