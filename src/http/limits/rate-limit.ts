import type { Clock } from '../../lib/clock.ts';

/** One request each `periodMs` sustained, in bursts of `burst`. */
export type Rate = { readonly periodMs: number; readonly burst: number };

/** 20 requests a second sustained, bursts of 60. */
const PERIOD_MS = 50;
const BURST = 60;
export const RATE_OF_KEY: Rate = { periodMs: PERIOD_MS, burst: BURST };
/** Requests with wrong keys from one address: 5 a second sustained, bursts of 300. */
export const RATE_OF_FAILURES: Rate = { periodMs: 200, burst: 300 };
const KEYS_MAX = 100_000;

export const RATE_LIMIT_POLICY = `"key";q=${BURST};w=${(BURST * PERIOD_MS) / 1000}`;

export type RateVerdict = {
  readonly allowed: boolean;
  /** Requests that are allowed immediately after this one. */
  readonly remaining: number;
  /** Seconds until the whole burst is free again, rounded up. */
  readonly resetS: number;
  /** Seconds until the next request is allowed, rounded up; 0 if it is now. */
  readonly retryAfterS: number;
};

export type RateLimiter = { take(keyId: string): RateVerdict | Promise<RateVerdict> };

/** Makes a limiter for a purpose, shared by all nodes if Redis is configured. */
export type MakeLimiter = (purpose: string, rate: Rate) => RateLimiter;

/**
 * The generic cell rate algorithm (ITU-T I.371, virtual scheduling): one number a key, the theoretical arrival time of
 * its next cell. A request conforms unless it arrives earlier than that time by more than the burst tolerance.
 * @returns the verdict, and the key's new theoretical arrival time in ms
 */
export function judge(
  arrivalMs: number | undefined,
  nowMs: number,
  { periodMs, burst }: Rate = RATE_OF_KEY,
): { verdict: RateVerdict; arrivalMs: number } {
  const toleranceMs = (burst - 1) * periodMs;
  const expected = Math.max(arrivalMs ?? 0, nowMs);
  const earlyMs = expected - nowMs - toleranceMs;
  const allowed = earlyMs <= 0;
  const next = allowed ? expected + periodMs : expected;
  const verdict = {
    allowed,
    remaining: Math.max(0, Math.floor((toleranceMs + periodMs - (next - nowMs)) / periodMs)),
    resetS: Math.ceil((next - nowMs) / 1000),
    retryAfterS: allowed ? 0 : Math.max(1, Math.ceil(earlyMs / 1000)),
  };
  return { verdict, arrivalMs: next };
}

/** Limits requests by name in this process. Forgets the names that were used longest ago, so memory is bounded. */
export function createMemoryLimiter(clock: Clock, rate: Rate = RATE_OF_KEY): RateLimiter {
  const arrivals = new Map<string, number>();
  return {
    take(keyId) {
      const nowMs = clock.now();
      const { verdict, arrivalMs } = judge(arrivals.get(keyId), nowMs, rate);
      // Re-inserting keeps the map in order of use: the first key was used longest ago.
      arrivals.delete(keyId);
      arrivals.set(keyId, arrivalMs);
      if (arrivals.size > KEYS_MAX) arrivals.delete(arrivals.keys().next().value as string);
      return verdict;
    },
  };
}
