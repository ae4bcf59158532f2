/** How long texts and files take to play. */
import { readWav, WavError } from '../../../src/audio/wav.ts';

/** A text of one letter takes as long as a text of this many letters. */
const CHARACTERS_MIN = 8;
/** The bit rates of MPEG layer III by their index, in kbit/s: of MPEG 1, and of MPEG 2. */
const KBITS = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const ID3_HEADER = 10;

/** Returns how long a text takes to say, in milliseconds. */
export function textMs(text: string, characterMs: number): number {
  return Math.max(CHARACTERS_MIN, text.trim().length) * characterMs;
}

/** Returns how long a WAV or MP3 file takes, in milliseconds; undefined for another file. */
export function fileMs(file: Buffer): number | undefined {
  try {
    const { channels, bits, sampleRateHz, content } = readWav(file);
    return (content.length * 8_000) / (channels * bits * sampleRateHz);
  } catch (error) {
    if (!(error instanceof WavError)) throw error;
    return mp3Ms(file);
  }
}

/** Returns the length of an MP3 file whose frames have one bit rate. */
function mp3Ms(file: Buffer): number | undefined {
  const start = file.subarray(0, 3).toString('latin1') === 'ID3' ? ID3_HEADER + syncSafe(file.subarray(6, 10)) : 0;
  const [sync = 0, version = 0, rate = 0] = file.subarray(start);
  // Eleven bits of 1, and layer III.
  if (sync !== 0xff || (version & 0xe6) !== 0xe2) return undefined;
  const kbits = KBITS[(version & 0x18) === 0x18 ? 1 : 2][rate >> 4] ?? 0;
  return kbits === 0 ? undefined : ((file.length - start) * 8) / kbits;
}

/** Reads a number whose bytes have 7 bits each. */
function syncSafe(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum * 128 + byte, 0);
}
