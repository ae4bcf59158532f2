/** The sounds of a simulated call as sources of its live audio, frame by frame. */
import { FRAME_MS, FRAME_SAMPLES } from '../../../audio/frames.ts';
import { encodeMulaw, MULAW_SILENCE } from '../../../audio/mulaw.ts';
import { type Pcm, SAMPLE_RATE_HZ } from '../../../audio/pcm.ts';
import { pulsingTone } from '../../../audio/tones.ts';
import type { AudioSource, Frame, Line } from '../../ports/call-audio.ts';
import { PARTY_TONE_HZ, TONE_AMPLITUDE } from './rendering.ts';

/** Frames of audio that begins with the first; the last is filled up with silence. */
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

/** One second each: both frequencies are whole, so that the next second is the same. */
const TONES = { customer: tone(PARTY_TONE_HZ.customer), agent: tone(PARTY_TONE_HZ.agent) } as const;

/** The tone of a party that is there and says nothing. `isSilent`: it is not there, or says something. */
export function toneSource(party: keyof typeof TONES, isSilent: (tick: number) => boolean): AudioSource {
  const frames = TONES[party];
  let firstTick: number | undefined;
  return {
    into: [party === 'customer' ? 'inbound' : 'outbound'],
    // What a stream's client plays to the customer stands alone.
    yields: party === 'agent',
    read: (tick) => {
      if (isSilent(tick)) return undefined;
      firstTick ??= tick;
      return frames[(tick - firstTick) % frames.length];
    },
  };
}

export type PlayedSound = AudioSource & {
  /** It is broken off after that much of it. */
  cut(durationMs: number): void;
  /** True while it is heard. */
  isHeard(tick: number): boolean;
};

/** A sound that begins at a tick, which may have gone by: then it is heard from its middle on. */
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
