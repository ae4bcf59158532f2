/** The hold audio of simulated legs: that of a ref, or the built-in pattern; it begins again at its end. */
import { FRAME_MS } from '../../../audio/frames.ts';
import { decodeMulaw, encodeMulaw } from '../../../audio/mulaw.ts';
import { FRAME_BYTES } from '../../../audio/mulaw-frames.ts';
import { type Pcm, samplesOf } from '../../../audio/pcm.ts';
import { holdPattern } from '../../../audio/tones.ts';
import type { AudioSource, Line } from '../../ports/call-audio.ts';
import type { ReadHoldAudio } from '../../ports/hold-audio.ts';
import type { Hold } from './call.ts';

const PATTERN = encodeMulaw(holdPattern());

/** Yields hold audio without an end, part by part, from a sample on: mu-law. Audio that is gone becomes the pattern. */
async function* listParts(read: ReadHoldAudio | undefined, { audio_ref: ref }: Hold, from: number) {
  const first = ref === null ? undefined : await read?.(ref, 0);
  const length = first?.length ?? PATTERN.length;
  for (let at = from % length; ; ) {
    const found = ref === null || first === undefined ? undefined : at === 0 ? first : await read?.(ref, at);
    const part = found?.mulaw ?? PATTERN.subarray(at % PATTERN.length);
    yield part;
    at = (at + part.length) % length;
  }
}

/** Returns a stretch of hold audio. */
export async function renderHold(
  read: ReadHoldAudio | undefined,
  hold: Hold,
  { fromMs, lastsMs }: { fromMs: number; lastsMs: number },
): Promise<Pcm> {
  const pcm = new Int16Array(samplesOf(lastsMs));
  let at = 0;
  for await (const part of listParts(read, hold, samplesOf(fromMs))) {
    const samples = decodeMulaw(part).subarray(0, pcm.length - at);
    pcm.set(samples, at);
    at += samples.length;
    if (at >= pcm.length) break;
  }
  return pcm;
}

/** The next part is read while less than this is left: 5 s. */
const LOW_BYTES = samplesOf(5_000);

type HoldPlace = {
  /** What the held leg hears. */
  readonly line: Line;
  readonly isHeld: () => boolean;
  /** The tick at which the hold began. */
  readonly firstTick: number;
};

/** Makes the hold audio of a leg, heard for as long as `isHeld`. `read` must not reject. */
export function holdSource(read: ReadHoldAudio | undefined, hold: Hold, place: HoldPlace): AudioSource {
  let parts: ReturnType<typeof listParts> | undefined;
  let left: Uint8Array = new Uint8Array(0);
  let isReading = false;
  const fill = async (tick: number): Promise<void> => {
    isReading = true;
    parts ??= listParts(read, hold, samplesOf(Math.max(0, tick - place.firstTick) * FRAME_MS));
    const { value } = await parts.next();
    if (value) left = Buffer.concat([left, value]);
    isReading = false;
  };
  return {
    into: [place.line],
    read: (tick) => {
      if (!place.isHeld()) return undefined;
      if (left.length < LOW_BYTES && !isReading) void fill(tick);
      if (left.length < FRAME_BYTES) return undefined;
      const frame = left.subarray(0, FRAME_BYTES);
      left = left.subarray(FRAME_BYTES);
      return frame;
    },
  };
}
