/** Each queue has its own workers, so that a backlog in one never delays another. */
export const QUEUES = ['messaging', 'voice', 'audio', 'default'] as const;
export type Queue = (typeof QUEUES)[number];

/**
 * Queues whose leases are short. After the death of a worker, a caller waits on the line until another worker repeats
 * its work.
 */
export const URGENT_QUEUES: ReadonlySet<Queue> = new Set(['voice']);

/** A task to run once. It stays in the database until the transaction of its effects deletes it. */
export type Job<Payload = unknown> = {
  readonly ledgerId: number;
  readonly id: string;
  readonly kind: string;
  readonly payload: Payload;
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** Identifies the claim; the statement that completes the job checks it. */
  readonly leaseToken: string;
};

export type NewJob = {
  readonly ledgerId: number;
  readonly queue: Queue;
  readonly kind: string;
  readonly payload: unknown;
  /** A name, unique in the ledger, for cancelling the job; by default a new id. */
  readonly id?: string;
  /** Milliseconds from now (ledger time runs at wall speed); absent or 0, the job is due now. */
  readonly delayMs?: number;
  /** A moment in ledger time, instead of `delayMs`. */
  readonly dueAt?: Date;
};

/** Carries out jobs of one kind. */
export type JobHandler<Payload = unknown> = {
  readonly kind: string;
  readonly queue: Queue;
  /** Most jobs of one call; 1 unless the handler takes several together. */
  readonly batchMax?: number;
  /**
   * For handlers that wait for another system. A slow call gives its slot to the next call and continues outside the
   * slots, so jobs that wait for a hung system delay no other jobs. The value is the maximum number of jobs of the kind
   * that may run outside the slots in one process; further calls keep their slots. Absent, every call keeps its slot
   * until its end.
   */
  readonly lingeringMax?: number;
  /**
   * For handlers that wait for another system. A slow call gives its slot to the next call and continues outside the
   * slots, so jobs that wait for a hung system delay no other jobs. The value is the maximum number of jobs of the kind
   * that may run outside the slots in one process; more calls keep their slots. Absent, every call keeps its slot until
   * its end.
   */
  run(jobs: readonly Job<Payload>[]): Promise<void> | readonly Promise<void>[];
};

/** `lingeringMax` of kinds whose jobs make one or two requests to a carrier. */
export const CARRIER_JOBS_LINGERING = 64;
