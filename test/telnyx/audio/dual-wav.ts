/** WAV files of two channels, which `src/audio/wav.ts` only reads. */
import { type Pcm, SAMPLE_RATE_HZ } from '../../../src/audio/pcm.ts';
import { encodeWav } from '../../../src/audio/wav.ts';

const AT = { channels: 22, bytesPerSecond: 28, blockBytes: 32 } as const;
const BYTES_PER_SAMPLE = 2;

/** Returns two channels of the same length as a file: 8 kHz, 16 bits. */
export function encodeDualWav(one: Pcm, other: Pcm): Buffer {
  const woven = new Int16Array(one.length * 2);
  for (let i = 0; i < one.length; i++) {
    woven[2 * i] = one[i] as number;
    woven[2 * i + 1] = other[i] as number;
  }
  const file = encodeWav(woven);
  file.writeUInt16LE(2, AT.channels);
  file.writeUInt32LE(SAMPLE_RATE_HZ * 2 * BYTES_PER_SAMPLE, AT.bytesPerSecond);
  file.writeUInt16LE(2 * BYTES_PER_SAMPLE, AT.blockBytes);
  return file;
}
