/**
 * G.711 A-law (ITU-T G.711, 11/88, tables 1a and 1b). A code is sign (1 bit), segment (3) and step (4); every second
 * bit is inverted. G.711 counts values up to 4,096; this module scales them to 16 bits, which makes them eight times as
 * large.
 */
import { encodeMulaw } from './mulaw.ts';

const INVERTED = 0x55;
const POSITIVE = 0x80;

/** Indexed by the A-law code. */
const DECODED: Int16Array = Int16Array.from({ length: 256 }, (_, code) => decodeCode(code));
const MULAW: Uint8Array = encodeMulaw(DECODED);

/** Returns the sample of a code, -32,256 to 32,256. */
export function sampleOfAlaw(code: number): number {
  return DECODED[code] as number;
}

/** Returns the mu-law code of each A-law code. */
export function mulawOfAlaw(codes: Uint8Array): Uint8Array {
  return codes.map((code) => MULAW[code] as number);
}

function decodeCode(code: number): number {
  const bits = code ^ INVERTED;
  const segment = (bits >> 4) & 0x07;
  // The value in the middle of the step. The first two segments have steps of the same size.
  const middle = ((bits & 0x0f) << 4) + 8;
  const magnitude = segment === 0 ? middle : (middle + 256) << (segment - 1);
  return (bits & POSITIVE) === 0 ? -magnitude : magnitude;
}
