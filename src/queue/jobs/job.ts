/** Queues have workers of their own, so that a backlog in one never delays another. */
export const QUEUES = ['messaging', 'voice', 'audio', 'default'] as const;
export type Queue = (typeof QUEUES)[number];

/** Work of these queues comes back soon after the death of its worker: somebody is on the line. */
export const URGENT_QUEUES: ReadonlySet<Queue> = new Set(['voice']);

/** One thing to do. It stays in the database until the transaction that carries out its effect deletes it. */
export type Job<Payload = unknown> = {
  readonly ledgerId: number;
  readonly id: string;
  readonly kind: string;
  readonly payload: Payload;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Proof that the claim still holds; checked by the statement that completes the job. */
  readonly leaseToken: string;
};

export type NewJob = {
  readonly ledgerId: number;
  readonly queue: Queue;
  readonly kind: string;
  readonly payload: unknown;
  /** A name of one's own makes the job unique in its ledger and lets it be cancelled; by default a new id. */
  readonly id?: string;
  /** Milliseconds from now (ledger time runs at wall speed); absent or 0 means at once. */
  readonly delayMs?: number;
  /** A moment in ledger time, instead of `delayMs`. */
  readonly dueAt?: Date;
};

/** What to do with jobs of one kind. */
export type JobHandler<Payload = unknown> = {
  readonly kind: string;
  readonly queue: Queue;
  /** Most jobs handed over in one call; 1 unless the handler works on many at once. */
  readonly batchMax?: number;
  /**
   * Carries the jobs out. A handler with effects completes its jobs in the transaction of the effects
   * (`completeJobs(tx, jobs)`), which throws LeaseLostError if a claim has passed to another worker. Jobs it leaves
   * are completed after it returns. What it throws is logged, and the jobs come back after a growing pause.
   */
  run(jobs: readonly Job<Payload>[]): Promise<void>;
};

/** A claimed queue of ordered items, held by one worker at a time across all processes. */
export type Lane = {
  readonly ledgerId: number;
  readonly kind: string;
  readonly groupId: string;
  readonly laneKey: string;
  readonly failures: number;
  readonly leaseToken: string;
  /** How long each renewal of the claim holds. */
  readonly leaseMs: number;
};

export type FailedLanes = {
  /** Most of them in hand in one process. */
  readonly concurrencyMax: number;
  /** Most of them of this group in hand now. */
  groupConcurrency(groupId: string): number;
};

/** What to do with lanes of one kind. */
export type LaneHandler = {
  readonly kind: string;
  /** Most lanes of this kind in hand in one process. */
  readonly concurrencyMax: number;
  /** Most lanes of this group in hand now; lets a slow group shrink so that it cannot starve the others. */
  groupConcurrency(groupId: string): number;
  /**
   * Bounds for lanes whose last attempt failed, beside those of the others: however many of a group fail, slowly even,
   * its other lanes find room. Absent, all lanes share `groupConcurrency`. Both count towards `concurrencyMax`.
   */
  readonly failed?: FailedLanes;
  /** Called once, with what to call whenever a group may have more lanes in hand than before. */
  onRoom?(look: () => void): void;
  /** True if lanes are to come back soon after the death of their worker. */
  readonly urgent?: boolean;
  /** True if drains depend on nothing outside: a clock moved by hand then waits for them as it does for jobs. */
  readonly prompt?: boolean;
  /** True if `failures` counts only what the drain itself postpones, and not that it throws. */
  readonly countsItself?: boolean;
  /** Works on the items in order; ends by releasing the lane in the transaction of its last effect. */
  drain(lane: Lane): Promise<void>;
};
