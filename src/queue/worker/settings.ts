export type WorkerSettings = {
  /** How long a claim lasts without renewal; work of a killed process is due again after this. */
  readonly leaseMs: number;
  /** The lease of urgent work: the queue `voice` and urgent lanes. Has no effect above `leaseMs`. */
  readonly urgentLeaseMs: number;
  /** Longest sleep of a loop, for wake-ups that were missed. */
  readonly pollMs: number;
  /** Delay after the first failure; doubles up to `retryMaxMs`. */
  readonly retryMinMs: number;
  readonly retryMaxMs: number;
  /**
   * Claims older than this are no longer renewed, so that a handler that never ends does not keep its work for ever.
   */
  readonly heldMaxMs: number;
  /** Most jobs of one claim. */
  readonly claimMax: number;
};

export const WORKER_SETTINGS: WorkerSettings = {
  leaseMs: 30_000,
  urgentLeaseMs: 5_000,
  pollMs: 1_000,
  retryMinMs: 1_000,
  retryMaxMs: 300_000,
  heldMaxMs: 900_000,
  claimMax: 500,
};

/** Returns the lease of urgent or other work. */
export function leaseMsOf({ leaseMs, urgentLeaseMs }: WorkerSettings, urgent: boolean): number {
  return urgent ? Math.min(urgentLeaseMs, leaseMs) : leaseMs;
}

/**
 * Returns the milliseconds to wait after failed attempt number `attempt` (from 1): doubles from `retryMinMs`, at most
 * `retryMaxMs`, lengthened at random by up to a quarter, so that work that failed together is not retried together.
 */
export function backoffMs(
  attempt: number,
  { retryMinMs, retryMaxMs }: Pick<WorkerSettings, 'retryMinMs' | 'retryMaxMs'>,
): number {
  const doubled = retryMinMs * 2 ** Math.min(Math.max(attempt, 1) - 1, 30);
  return Math.round(Math.min(doubled, retryMaxMs) * (1 + Math.random() / 4));
}
