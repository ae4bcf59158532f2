/** What legs say and hear: frames of 20 ms (mu-law, 8 kHz), reckoned for any moment, so that nothing runs unheard. */
import { FRAME_BYTES, mixFrames, SILENT_FRAME, toMulawFrames } from '../../../src/audio/mulaw-frames.ts';
import { samplesOf } from '../../../src/audio/pcm.ts';
import { sine } from '../../../src/audio/tones.ts';
import type { Leg } from './legs.ts';

export const FRAME_MS = 20;

/** How a sound ends, in Telnyx's words. */
export type SoundEnd = 'completed' | 'cancelled' | 'call_hangup';

/** Something that a leg hears from `fromMs` on. */
export type Sound = {
  readonly frames: readonly Uint8Array[];
  readonly fromMs: number;
  /** True: it begins again at its end. */
  readonly loops: boolean;
  readonly isOverlay: boolean;
  /** True for keys, which are sent and end by themselves. */
  readonly end: (how: SoundEnd) => void;
};

/** People have voices of their own. */
function voiceOf(person: string): Uint8Array[] {
  const frequencyHz = 300 + (Number(person.slice(-2)) || 0) * 10;
  return toMulawFrames(sine({ frequencyHz, samples: samplesOf(1_000) }));
}

const voices = new Map<string, Uint8Array[]>();

/** Returns what the person of a leg says at a moment. */
export function saidAt(leg: Leg, ms: number): Uint8Array {
  if (!leg.sayings.some(({ fromMs, toMs }) => ms >= fromMs && ms < toMs)) return SILENT_FRAME;
  const voice = voices.get(leg.person) ?? voiceOf(leg.person);
  voices.set(leg.person, voice);
  return voice[Math.floor(ms / FRAME_MS) % voice.length] ?? SILENT_FRAME;
}

/** Returns what the person of a leg hears at a moment: the other one, and what is played to it. */
export function heardAt(leg: Leg, ms: number): Uint8Array {
  const played = leg.sounds.flatMap(({ frames, fromMs, loops }) => {
    const at = Math.floor((ms - fromMs) / FRAME_MS);
    const frame = at < 0 ? undefined : frames[loops ? at % frames.length : at];
    return frame === undefined ? [] : [frame];
  });
  return mixFrames([...(leg.peer === undefined ? [] : [saidAt(leg.peer, ms)]), ...played]);
}

/** Calls `take` with the moment of each frame, in real time, until it is stopped. Late frames are made up for. */
export function everyFrame(take: (ms: number) => void): () => void {
  let at = Date.now();
  const timer = setInterval(() => {
    for (const now = Date.now(); at <= now; at += FRAME_MS) take(at);
  }, FRAME_MS);
  return () => clearInterval(timer);
}

export function framesIn(codes: Uint8Array): Uint8Array[] {
  const frames: Uint8Array[] = [];
  for (let at = 0; at < codes.length; at += FRAME_BYTES) {
    const frame = new Uint8Array(SILENT_FRAME);
    frame.set(codes.subarray(at, at + FRAME_BYTES));
    frames.push(frame);
  }
  return frames;
}
