/**
 * G.711 mu-law (ITU-T G.711, 11/88, tables 2a and 2b). A code is sign (1 bit), segment (3) and step (4), all inverted.
 * G.711 counts values up to 8,159; this module scales them to 16 bits, which makes them four times as large.
 */
import { type Pcm, SAMPLE_RATE_HZ } from './pcm.ts';

/** The code of silence. */
export const MULAW_SILENCE = 0xff;
export const MULAW_BYTES_PER_MS = SAMPLE_RATE_HZ / 1_000;

/** This is added to a magnitude, so that each segment starts at a power of two. */
const BIAS = 132;
/** Above the last decision value: every louder sample gets the last code. */
const MAGNITUDE_MAX = 32_635;
const SIGN = 0x80;

const DECODED: Int16Array = Int16Array.from({ length: 256 }, (_, code) => decodeCode(code));
/** Indexed by the sample as 16 bits without sign. */
const ENCODED: Uint8Array = Uint8Array.from({ length: 65_536 }, (_, bits) => encodeSample((bits << 16) >> 16));

/** Encodes each sample to a byte. */
export function encodeMulaw(pcm: Pcm): Uint8Array {
  const codes = new Uint8Array(pcm.length);
  for (let i = 0; i < pcm.length; i++) codes[i] = ENCODED[(pcm[i] as number) & 0xffff] as number;
  return codes;
}

/** Decodes each byte to a sample, -32,124 to 32,124. */
export function decodeMulaw(codes: Uint8Array): Pcm {
  const pcm = new Int16Array(codes.length);
  for (let i = 0; i < codes.length; i++) pcm[i] = DECODED[codes[i] as number] as number;
  return pcm;
}

function decodeCode(code: number): number {
  const bits = ~code & 0xff;
  const segment = (bits >> 4) & 0x07;
  const step = bits & 0x0f;
  const magnitude = (((step << 3) + BIAS) << segment) - BIAS;
  return (bits & SIGN) === 0 ? magnitude : -magnitude;
}

function encodeSample(sample: number): number {
  const sign = sample < 0 ? SIGN : 0;
  const biased = Math.min(Math.abs(sample), MAGNITUDE_MAX) + BIAS;
  // The bias is more than 2^7, so the highest bit set is 7 in the first segment and 14 in the last.
  const segment = 31 - Math.clz32(biased) - 7;
  const step = (biased >> (segment + 3)) & 0x0f;
  return ~(sign | (segment << 4) | step) & 0xff;
}
