import type { Clock } from '../../lib/time/clock.ts';

/** On average one request each `periodMs`, and at most `burst` requests at a time. */
export type Rate = { readonly periodMs: number; readonly burst: number };

/** A key may send this many times its requests per second at a time. */
const BURST_FACTOR = 3;
/** Requests per second of a key and of an account: the default and the maximum of each. */
export const KEY_RATE = 20;
export const KEY_RATE_MAX = 1_000;

/** Returns the rate of a key that has `perSecond` requests a second. Its burst is BURST_FACTOR times that number. */
export function rateOfKey(perSecond = KEY_RATE): Rate {
  return { periodMs: 1_000 / perSecond, burst: perSecond * BURST_FACTOR };
}

export const RATE_OF_KEY = rateOfKey();
/** Requests with wrong keys from one address: on average 5 a second, and at most 300 at a time. */
export const RATE_OF_FAILURES: Rate = { periodMs: 200, burst: 300 };
const KEYS_MAX = 100_000;
/**
 * Tolerance for rounding, in milliseconds and in requests. Sums of fractions are at least this exact, also in Redis.
 */
const TINY = 0.01;

/** Returns the policy of a rate for the header RateLimit-Policy. */
export function policyOf({ burst }: Rate): string {
  return `"key";q=${burst};w=${BURST_FACTOR}`;
}

export type RateVerdict = {
  readonly allowed: boolean;
  /** Requests that are allowed immediately after this one. */
  readonly remaining: number;
  /** Seconds until the whole burst is free again, rounded up. */
  readonly resetS: number;
  /** Seconds until the next request is allowed, rounded up; 0 if it is now. */
  readonly retryAfterS: number;
};

export type RateLimiter = {
  /** Counts a request. `rate` replaces the limiter's usual rate for this name. */
  take(name: string, rate?: Rate): RateVerdict | Promise<RateVerdict>;
};

/** Makes a limiter for a purpose. All nodes share it if Redis is configured. */
export type MakeLimiter = (purpose: string, rate: Rate) => RateLimiter;

/**
 * The generic cell rate algorithm (ITU-T I.371, virtual scheduling). It stores one number for each key: the theoretical
 * arrival time of the key's next cell. A request conforms unless it arrives earlier than that time by more than the
 * burst tolerance.
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
  const allowed = earlyMs <= TINY;
  const next = allowed ? expected + periodMs : expected;
  const verdict = {
    allowed,
    // A period may have a fraction of a millisecond, so the sum of many periods is not exact.
    remaining: Math.max(0, Math.floor((toleranceMs + periodMs - (next - nowMs)) / periodMs + TINY)),
    resetS: Math.ceil((next - nowMs) / 1000),
    retryAfterS: allowed ? 0 : Math.max(1, Math.ceil(earlyMs / 1000)),
  };
  return { verdict, arrivalMs: next };
}

/** Limits requests by name in this process. Forgets the names that were used longest ago, so memory is bounded. */
export function createMemoryLimiter(clock: Clock, usual: Rate = RATE_OF_KEY): RateLimiter {
  const arrivals = new Map<string, number>();
  return {
    take(name, rate = usual) {
      const nowMs = clock.now();
      const { verdict, arrivalMs } = judge(arrivals.get(name), nowMs, rate);
      // Re-inserting keeps the map in order of use: the first key was used longest ago.
      arrivals.delete(name);
      arrivals.set(name, arrivalMs);
      if (arrivals.size > KEYS_MAX) arrivals.delete(arrivals.keys().next().value as string);
      return verdict;
    },
  };
}
