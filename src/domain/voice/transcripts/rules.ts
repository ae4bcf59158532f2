import type { Segment, Transcript } from './schema.ts';

const NAMES = { agent: 'Agent', customer: 'Customer' } as const;

/** A transcript as callers see it. */
export function transcriptOf(callId: string, segments: readonly Segment[]): Transcript {
  const text = segments.map((segment) => `${NAMES[segment.speaker]}: ${segment.text}`).join('\n');
  return { object: 'transcript', call_id: callId, text, segments: [...segments] };
}

/** The first look for utterances that still wait comes after this, and each further one after twice as long. */
const LOOK_MS = { min: 500, max: 15_000 } as const;

/** How long a summary waits for the utterances before it looks again. */
export function nextLookMs(looks: number): number {
  return Math.min(LOOK_MS.min * 2 ** looks, LOOK_MS.max);
}
