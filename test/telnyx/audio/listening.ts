/** Finds the tones in audio. */
import { decodeMulaw } from '../../../src/audio/mulaw.ts';
import { concat, type Pcm } from '../../../src/audio/pcm.ts';
import { powerAt, powerOf } from '../../support/tone-power.ts';

/** The kind of sound in a part of the audio. */
export type Sounding = {
  /** The frequencies of its tones in Hz, to the nearest 10; the loudest first. */
  readonly peaksHz: readonly number[];
  /** The square root of the mean square of its samples, 0 to 32,767. */
  readonly level: number;
};

const SCALE = { lowestHz: 100, highestHz: 3_500, stepHz: 10 } as const;
/** 100 ms. Tones that are less than 40 Hz apart count as one tone. */
const BLOCK_SAMPLES = 800;
/** A tone has at least this share of the power of the loudest one. */
const SHARE_MIN = 0.05;
/** The power of a sine of amplitude 100. */
const POWER_MIN = 5_000;

/** Returns frames of mu-law as samples. */
export function pcmOf(frames: readonly Uint8Array[]): Pcm {
  return concat(frames.map(decodeMulaw));
}

/** Returns the loudness of audio, and the tones in it. */
export function soundingOf(pcm: Pcm): Sounding {
  const blocks = blocksOf(pcm);
  const level = Math.round(Math.sqrt(powerOf(pcm)));
  const powers: number[] = [];
  for (let hz: number = SCALE.lowestHz; hz <= SCALE.highestHz; hz += SCALE.stepHz) {
    powers.push(blocks.reduce((sum, block) => sum + powerAt(block, hz), 0) / blocks.length);
  }
  const least = Math.max(POWER_MIN, SHARE_MIN * Math.max(0, ...powers));
  const peaks = powers
    .map((power, at) => ({ power, hz: SCALE.lowestHz + at * SCALE.stepHz, at }))
    .filter(({ power, at }) => power >= least && power > (powers[at - 1] ?? 0) && power >= (powers[at + 1] ?? 0))
    .sort((one, other) => other.power - one.power);
  return { peaksHz: peaks.map(({ hz }) => hz), level };
}

/** Returns the audio in blocks that rise and fall softly (Hann), so that a tone is not found at other frequencies. */
function blocksOf(pcm: Pcm): Pcm[] {
  const count = Math.max(1, Math.floor(pcm.length / BLOCK_SAMPLES));
  return Array.from({ length: count }, (_, index) => {
    const block = pcm.slice(index * BLOCK_SAMPLES, (index + 1) * BLOCK_SAMPLES);
    // Twice the window, so that the power of a sine is unchanged.
    return block.map((sample, i) => Math.round((sample / 2) * (1 - Math.cos((2 * Math.PI * i) / block.length))));
  });
}
