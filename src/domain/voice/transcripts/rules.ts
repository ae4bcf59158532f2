import type { Segment, Transcript } from './schema.ts';

const NAMES = { agent: 'Agent', customer: 'Customer' } as const;

/** Returns a transcript as the API shows it. */
export function transcriptOf(callId: string, segments: readonly Segment[]): Transcript {
  const text = segments.map((segment) => `${NAMES[segment.speaker]}: ${segment.text}`).join('\n');
  return { object: 'transcript', call_id: callId, text, segments: [...segments] };
}

/** The first check for waiting utterances comes after `min`. The time between checks doubles, up to `max`. */
const CHECK_MS = { min: 500, max: 15_000 } as const;

/** Returns how long a summary waits for utterances before the next check. */
export function nextCheckMs(checks: number): number {
  return Math.min(CHECK_MS.min * 2 ** checks, CHECK_MS.max);
}
