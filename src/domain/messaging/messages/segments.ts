import { septetsOf } from './gsm7.ts';

export const ENCODINGS = ['gsm7', 'ucs2'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The segments and encoding of a message on the air. */
export interface SegmentCount {
  segments: number;
  encoding: Encoding;
}

/** A single text has 140 octets, a part has 134: its concatenation header takes six (3GPP TS 23.040 9.2.3.24.1). */
const GSM7_SINGLE_SEPTETS = 160;
const GSM7_PART_SEPTETS = 153;
const UCS2_SINGLE_UNITS = 70;
const UCS2_PART_UNITS = 67;

/**
 * Matches the one-septet characters of nearly every text. Every send is counted, and one native scan takes half the
 * time of the loop below.
 */
const PLAIN_TEXT = /^[\n\r -Z_a-z]*$/;

/**
 * Returns the segments of a message and the encoding that its body needs. A message with media has one segment. An
 * empty body has one segment too. GSM-7 counts septets, UCS-2 counts UTF-16 code units. A character of two units (an
 * extension character, a surrogate pair) is never split: it moves whole into the next part, so a part may have an
 * unused unit.
 */
export function countSegments(body: string, hasMedia: boolean): SegmentCount {
  if (PLAIN_TEXT.test(body)) return { segments: hasMedia ? 1 : countGsm7(body, body.length), encoding: 'gsm7' };
  let septets = 0;
  for (let index = 0; index < body.length; index += 1) {
    const cost = septetsOf(body.charCodeAt(index));
    if (cost === 0) return { segments: hasMedia ? 1 : countUcs2(body), encoding: 'ucs2' };
    septets += cost;
  }
  return { segments: hasMedia ? 1 : countGsm7(body, septets), encoding: 'gsm7' };
}

function countGsm7(body: string, septets: number): number {
  if (septets <= GSM7_SINGLE_SEPTETS) return 1;
  if (septets === body.length) return Math.ceil(septets / GSM7_PART_SEPTETS);
  let segments = 1;
  let used = 0;
  for (let index = 0; index < body.length; index += 1) {
    const cost = septetsOf(body.charCodeAt(index));
    if (used + cost > GSM7_PART_SEPTETS) {
      segments += 1;
      used = 0;
    }
    used += cost;
  }
  return segments;
}

/** Checks only the positions where a part would end, and ends it one unit earlier inside a surrogate pair. */
function countUcs2(body: string): number {
  if (body.length <= UCS2_SINGLE_UNITS) return 1;
  let segments = 1;
  let end = UCS2_PART_UNITS;
  while (end < body.length) {
    if (isLowSurrogate(body.charCodeAt(end)) && isHighSurrogate(body.charCodeAt(end - 1))) end -= 1;
    end += UCS2_PART_UNITS;
    segments += 1;
  }
  return segments;
}

function isHighSurrogate(codeUnit: number): boolean {
  return (codeUnit & 0xfc00) === 0xd800;
}

function isLowSurrogate(codeUnit: number): boolean {
  return (codeUnit & 0xfc00) === 0xdc00;
}
