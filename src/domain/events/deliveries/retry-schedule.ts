const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** From the fourth retry on both modes wait equally long, so that a dead test endpoint is treated like a live one. */
const LATER_RETRIES_MS = [2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS);

/**
 * Waits between the attempts of one webhook delivery, in milliseconds, before jitter. Entry n is the wait after failed
 * attempt n + 1. Both modes make ten attempts. In test mode the first retries come within seconds, because a developer
 * watches them.
 */
const WEBHOOK_RETRY_DELAYS_MS = {
  live: [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, ...LATER_RETRIES_MS],
  test: [1 * SECOND_MS, 5 * SECOND_MS, 30 * SECOND_MS, ...LATER_RETRIES_MS],
} as const;

/**
 * How late an attempt may be when the clock of a test ledger is moved: a hundredth of the wait before it. The position
 * is the number of failures.
 */
export const WEBHOOK_RETRY_SLACK_MS: readonly number[] = WEBHOOK_RETRY_DELAYS_MS.test.map((delayMs) => delayMs / 100);

/** Most attempts of one delivery: the first and one per wait. */
export const WEBHOOK_ATTEMPTS_MAX = WEBHOOK_RETRY_DELAYS_MS.live.length + 1;

/** A wait is shortened or lengthened at random by up to this fraction of it. */
const JITTER = 0.1;

/**
 * Returns the milliseconds from failed attempt number `attempt` (the first delivery is attempt 1) to the next, within
 * 10 % of the schedule either way; null if no attempt is left and the delivery is given up.
 *
 * `random` returns a number like `Math.random`. Throws RangeError when `attempt` is not a positive integer.
 */
export function retryDelayMs(input: { mode: 'live' | 'test'; attempt: number; random: () => number }): number | null {
  const { mode, attempt, random } = input;
  if (!Number.isInteger(attempt) || attempt < 1) throw new RangeError(`attempt must be 1 or more, not ${attempt}`);
  const delayMs = WEBHOOK_RETRY_DELAYS_MS[mode][attempt - 1];
  if (delayMs === undefined) return null;
  return Math.round(delayMs * (1 - JITTER + 2 * JITTER * random()));
}
