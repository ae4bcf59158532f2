export type WorkerSettings = {
  /** How long a claim holds without renewal; a killed process's work comes back after this. */
  readonly leaseMs: number;
  /** The same for what people wait for on the line: the queue `voice` and urgent lanes. At most `leaseMs` counts. */
  readonly urgentLeaseMs: number;
  /** Longest sleep of a loop, for wake-ups that were missed. */
  readonly pollMs: number;
  /** Pause after the first failure; doubles up to `retryMaxMs`. */
  readonly retryMinMs: number;
  readonly retryMaxMs: number;
  /** Claims older than this are no longer renewed: a handler that never ends must not keep its work for ever. */
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

/** The lease of work that is urgent, or is not. */
export function leaseMsOf({ leaseMs, urgentLeaseMs }: WorkerSettings, urgent: boolean): number {
  return urgent ? Math.min(urgentLeaseMs, leaseMs) : leaseMs;
}
