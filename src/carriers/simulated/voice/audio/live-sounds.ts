/** The sounds of a simulated call as sources of its live audio, frame by frame. */
import { FRAME_MS, FRAME_SAMPLES } from '../../../../audio/frames.ts';
import { encodeMulaw, MULAW_SILENCE } from '../../../../audio/mulaw.ts';
import { type Pcm, SAMPLE_RATE_HZ } from '../../../../audio/pcm.ts';
import { pulsingTone } from '../../../../audio/tones.ts';
import type { AudioSource, Frame, Line } from '../../../ports/call-audio.ts';
import { PARTY_TONE_HZ, TONE_AMPLITUDE } from './rendering.ts';

/** Returns the audio in frames; the last one is filled up with silence. */
function toMulawFrames(pcm: Pcm): Frame[] {
  const codes = encodeMulaw(pcm);
  return Array.from({ length: Math.ceil(codes.length / FRAME_SAMPLES) }, (_, index) => {
    const frame = codes.subarray(index * FRAME_SAMPLES, (index + 1) * FRAME_SAMPLES);
    if (frame.length === FRAME_SAMPLES) return frame;
    const full = new Uint8Array(FRAME_SAMPLES).fill(MULAW_SILENCE);
    full.set(frame);
    return full;
  });
}

const tone = (frequencyHz: number) =>
  toMulawFrames(pulsingTone({ frequencyHz, samples: SAMPLE_RATE_HZ, amplitude: TONE_AMPLITUDE }));

/** One second of each tone. The frequencies are whole numbers, so the second repeats without a break. */
const TONES = { customer: tone(PARTY_TONE_HZ.customer), agent: tone(PARTY_TONE_HZ.agent) } as const;

/** Makes the tone of a party. `isSilent` is true while the party is absent, or speaks. */
export function toneSource(party: keyof typeof TONES, isSilent: (tick: number) => boolean): AudioSource {
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
