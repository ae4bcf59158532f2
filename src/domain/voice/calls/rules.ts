import { isWebClient } from '../web-clients/rules.ts';

/** Keys that can be sent into a call, as characters of a pattern. */
export const DIGITS = { characters: '0-9A-D*#wW', charsMax: 32 } as const;

export const GATHER = {
  promptCharsMax: 500,
  digitsMax: 32,
  timeoutMs: { min: 1_000, max: 60_000, default: 10_000 },
} as const;

/** How a caller who hides the number is written. */
export const ANONYMOUS = 'anonymous';

/** How callers of the API see who answered: a web client is marked as one, by whatever stands for it inside. */
export function nameOfAnswerer(address: string): string {
  return isWebClient(address) ? `web_client:${address}` : address;
}

/** Seconds that the parties were connected, as callers see them; null while the call goes on. */
export function durationSeconds(call: {
  readonly connectedAtMs: number | null;
  readonly endedAtMs: number | null;
}): number | null {
  if (call.endedAtMs === null) return null;
  return call.connectedAtMs === null ? 0 : Math.round((call.endedAtMs - call.connectedAtMs) / 1000);
}

/** Minutes that are billed: every one that was started. */
export function startedMinutes(durationMs: number): number {
  return Math.ceil(durationMs / 60_000);
}
