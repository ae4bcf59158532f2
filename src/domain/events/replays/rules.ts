/** A replay runs until it has passed its whole range, or is canceled by a request or because its endpoint is off. */
export const REPLAY_STATUSES = ['running', 'completed', 'canceled'] as const;

export const EVENT_TYPES_MAX = 100;

/** Maximum events that are read in one transaction. */
export const EVENTS_PER_STEP = 250;
/** While this many deliveries wait for the endpoint, a replay adds none. */
export const WAITING_MAX = 2_000;

/** Maximum deliveries that are tried again in one transaction. */
export const RETRIES_PER_STEP = 100;
/** Failed deliveries are counted up to this many. */
export const RETRIES_COUNTED_MAX = 10_000;
/** Failed deliveries by status, in the order of their retries. */
export const FAILED_STATUSES = ['failed', 'given_up'] as const;

/**
 * A step that cannot continue is repeated after this time, then after twice the previous time, up to the longest wait.
 */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 5 * 60_000;

/** Returns the wait of a replay after `waits` consecutive steps that could not continue. */
export function waitMs(waits: number): number {
  return Math.min(FIRST_WAIT_MS * 2 ** waits, LONGEST_WAIT_MS);
}
