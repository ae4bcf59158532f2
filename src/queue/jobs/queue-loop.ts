import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { ClaimCycle } from '../worker/claim-cycle.ts';
import { createSlotHolder, type HoldSlot } from '../worker/lingering.ts';
import type { ClaimReleaser } from '../worker/release-claims.ts';
import { leaseMsOf, type WorkerSettings } from '../worker/settings.ts';
import { type Queue, URGENT_QUEUES } from './job.ts';
import type { ClaimedJob } from './job-claims.ts';
import { type JobRunner, takeCall } from './job-runner.ts';
import { claimJobs, releaseJobs, releaseLostClaim } from './worker-claims.ts';

export type QueueLoop = {
  start(): void;
  /** Announces a job that is due in `delayMs`. */
  wake(delayMs: number): void;
  /** Stops claiming and releases jobs that have not started. Running handlers continue. */
  stop(): Promise<void>;
};

type QueueLoopOptions = {
  db: Database;
  log: Logger;
  queue: Queue;
  /** Maximum number of concurrent handler calls, without slow calls that continue outside the slots. */
  concurrencyMax: number;
  runner: JobRunner;
  tokens: () => string;
  settings: WorkerSettings;
  releaser: ClaimReleaser;
};

/** No claim gets a due job that an open transaction has locked. This is the first pause before the loop tries again. */
const LOCKED_RETRY_MS = 5;

/**
 * Claims and runs the jobs of one queue, one claim at a time. A claim takes as many jobs as the free slots allow, and
 * the next claim follows at once if there may be more. Without due jobs the loop sleeps until the next job is due, a
 * wake-up, or the poll.
 */
export function createQueueLoop(options: QueueLoopOptions): QueueLoop {
  return new JobQueueLoop(options);
}

class JobQueueLoop implements QueueLoop {
  readonly #options: QueueLoopOptions;
  readonly #leaseMs: number;
  readonly #kinds: string[];
  readonly #batchMax: number;
  readonly #cycle: ClaimCycle;
  #waiting: ClaimedJob[] = [];
  /** Handler calls that have a slot. */
  #calls = 0;
  /** Calls that have released their slot, and whose jobs are not yet deleted. */
  #endings = 0;
  #lockedRetryMs = LOCKED_RETRY_MS;
  /** Slot holders of the kinds whose slow calls continue outside the slots. */
  readonly #slotHolders = new Map<string, HoldSlot>();

  constructor(options: QueueLoopOptions) {
    const { log, queue, concurrencyMax, runner, settings } = options;
    this.#options = options;
    this.#leaseMs = leaseMsOf(settings, URGENT_QUEUES.has(queue));
    this.#kinds = runner.kinds(queue);
    this.#batchMax = runner.batchMax(queue);
    this.#cycle = new ClaimCycle({
      log,
      pollMs: settings.pollMs,
      claims: { what: 'jobs', of: { queue } },
      hasRoom: () => this.#calls < concurrencyMax && this.#waiting.length === 0,
      claim: () => this.#claim(),
    });
  }

  start(): void {
    if (this.#kinds.length > 0 && this.#options.concurrencyMax > 0) this.#cycle.start();
  }

  wake(delayMs: number): void {
    this.#cycle.wake(delayMs);
  }

  async stop(): Promise<void> {
    const { db, log, queue, runner } = this.#options;
    await this.#cycle.stop();
    const unstarted = this.#waiting;
    this.#waiting = [];
    if (unstarted.length > 0) {
      await releaseJobs(db, unstarted, { delayMs: 0, unstarted: true }).catch((error: unknown) =>
        log.warn({ err: error, queue }, 'unstarted jobs not released: their claims end with their lease'),
      );
    }
    for (const job of unstarted) runner.claims.delete(job);
  }

  #startCalls(): void {
    const { runner, concurrencyMax } = this.#options;
    // The jobs of a claim that ends during a stop are released.
    if (!this.#cycle.isRunning) return;
    while (this.#calls < concurrencyMax) {
      const next = takeCall(this.#waiting, runner.handlerOf);
      if (next === undefined) return;
      this.#calls++;
      void this.#carryOut(next).then(() => {
        this.#calls--;
        this.#startCalls();
        this.#cycle.pump();
      });
    }
  }

  /**
   * Carries out a call. Resolves when it no longer needs its slot. So the loop claims and runs the next jobs while the
   * jobs of this call are deleted.
   */
  async #carryOut({ handler, jobs }: NonNullable<ReturnType<typeof takeCall>>): Promise<void> {
    const { runner, concurrencyMax } = this.#options;
    const call = runner.call(handler, jobs);
    const { kind, lingeringMax } = handler;
    if (lingeringMax === undefined) {
      await call.worked;
      if (this.#endings >= concurrencyMax) {
        await call.ended;
        return;
      }
      this.#endings++;
      void call.ended.then(() => this.#endings--);
      return;
    }
    const holdSlot = this.#slotHolders.get(kind) ?? createSlotHolder(lingeringMax);
    this.#slotHolders.set(kind, holdSlot);
    await holdSlot(call);
  }

  async #claim(): Promise<void> {
    const { db, queue, concurrencyMax, runner, tokens, settings, releaser } = this.#options;
    const jobsMax = Math.min((concurrencyMax - this.#calls) * this.#batchMax, settings.claimMax);
    const claim = { kinds: this.#kinds, leaseMs: this.#leaseMs, leaseToken: tokens(), jobsMax };
    const { jobs, nextInMs } = await claimJobs(db, queue, claim).catch(async (error: unknown) => {
      await releaser.release({ what: queue, leaseMs: this.#leaseMs }, () => releaseLostClaim(db, queue, claim));
      throw error;
    });
    for (const job of jobs) runner.claims.add(job);
    // Groups jobs by kind. The kind of the job that is due longest comes first. Within a kind the order of the claim
    // stays.
    this.#waiting = [...Map.groupBy(this.#waiting.concat(jobs), ({ kind }) => kind).values()].flat();
    this.#startCalls();
    if (jobs.length === jobsMax) {
      this.#cycle.noteMore();
      return;
    }
    if (nextInMs === undefined) return;
    if (nextInMs > 0) {
      this.#lockedRetryMs = LOCKED_RETRY_MS;
      this.#cycle.wakeIn(Math.ceil(nextInMs));
    } else if (jobs.length > 0) {
      this.#cycle.noteMore();
    } else {
      this.#cycle.wakeIn(this.#lockedRetryMs);
      this.#lockedRetryMs = Math.min(this.#lockedRetryMs * 2, settings.pollMs);
    }
  }
}
