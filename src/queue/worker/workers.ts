import type { Logger } from 'pino';
import type { Database, Signal } from '../../db/database.ts';
import { monotonicMs, sleep } from '../../lib/time/time.ts';
import type { JobHandler, Queue } from '../jobs/job.ts';
import { type CallObserver, createJobRunner } from '../jobs/job-runner.ts';
import { createQueueLoop, type QueueLoop } from '../jobs/queue-loop.ts';
import { type QueueStats, readStats } from '../jobs/queue-stats.ts';
import { releaseJobs } from '../jobs/worker-claims.ts';
import type { LaneHandler } from '../lanes/lane.ts';
import { createLaneLoop, type LaneLoop } from '../lanes/lane-loop.ts';
import { releaseLane } from '../lanes/lanes.ts';
import { toClaimedLane } from '../lanes/new-lanes.ts';
import { createTokens, LeaseLostError } from './lease.ts';
import { createLedgerWork, type LedgerWork } from './ledger-work.ts';
import { createClaimReleaser } from './release-claims.ts';
import { WORKER_SETTINGS, type WorkerSettings } from './settings.ts';
import { toWake } from './wake.ts';

export type Workers = {
  /** Starts to claim. */
  start(): void;
  /**
   * Stops claiming, releases work that has not started and waits for running handlers, at most `deadlineMs` (8 s). A
   * handler that still runs then loses its claim, so that its effects roll back and another worker repeats the work.
   */
  stop(options?: { deadlineMs?: number }): Promise<void>;
  /** The due work of one ledger, for a clock that is moved by hand; also before `start`. */
  readonly ledgerWork: LedgerWork;
  /** Reads depth and age of the queues, for metrics. */
  stats(): Promise<QueueStats[]>;
};

type WorkersOptions = {
  db: Database;
  log: Logger;
  handlers: readonly JobHandler[];
  laneHandlers?: readonly LaneHandler[];
  settings?: Partial<WorkerSettings>;
  /**
   * Most concurrent handler calls per queue. This process does not work on queues that are not named. The sum of these
   * and of the concurrent lanes should stay below the connections of `db`; otherwise one queue can use up the
   * connections.
   */
  queues: Partial<Readonly<Record<Queue, number>>>;
  observe?: CallObserver;
};

const STOP_DEADLINE_MS = 8_000;

/** Creates workers for the kinds of jobs and lanes that have a handler. Other processes carry out other kinds. */
export function createWorkers(options: WorkersOptions): Workers {
  const { db, log, handlers, laneHandlers = [], queues, observe } = options;
  const settings = { ...WORKER_SETTINGS, ...options.settings };
  const tokens = createTokens();
  const releaser = createClaimReleaser(log);
  const runner = createJobRunner({ db, log, handlers, settings, releaser, observe });
  const queueLoops = new Map(
    Object.entries(queues).map(([name, concurrencyMax]) => {
      const queue = name as Queue;
      return [name, createQueueLoop({ db, log, queue, concurrencyMax, runner, tokens, settings, releaser })];
    }),
  );
  const laneLoops = new Map(
    laneHandlers.map((handler) => [
      handler.kind,
      createLaneLoop({ db, log, handler, tokens, settings, releaser, observe }),
    ]),
  );
  const loops = [...queueLoops.values(), ...laneLoops.values()];
  const heartbeats = [runner.claims, ...[...laneLoops.values()].map((loop) => loop.claims)];
  db.onSignal((signal) => passOn(signal, queueLoops, laneLoops));

  const isIdle = () => heartbeats.every((heartbeat) => heartbeat.held().length === 0);
  const startHeartbeats = () => {
    for (const heartbeat of heartbeats) heartbeat.start();
  };

  const releaseClaims = async () => {
    const jobs = runner.claims.held();
    const lanes = [...laneLoops.values()].flatMap((loop) => loop.claims.held());
    log.warn({ jobs: jobs.length, lanes: lanes.length }, 'handlers still running at the deadline lose their claims');
    if (jobs.length > 0) await releaseJobs(db, jobs, { delayMs: 0 });
    for (const lane of lanes) {
      await db
        .transaction((tx) => releaseLane(tx, lane))
        .catch((error: unknown) => {
          if (!(error instanceof LeaseLostError)) throw error;
        });
    }
  };

  return {
    start: () => {
      startHeartbeats();
      for (const loop of loops) loop.start();
    },
    stop: async ({ deadlineMs = STOP_DEADLINE_MS } = {}) => {
      const deadline = monotonicMs() + deadlineMs;
      releaser.stop();
      await Promise.all(loops.map((loop) => loop.stop()));
      while (!isIdle() && monotonicMs() < deadline) await sleep(5);
      if (!isIdle()) {
        await releaseClaims().catch((error: unknown) =>
          log.warn({ err: error }, 'claims not released: they end with their lease'),
        );
      }
      for (const heartbeat of heartbeats) heartbeat.stop();
    },
    ledgerWork: createLedgerWork({
      db,
      runner,
      laneLoops: [...laneLoops.values()],
      tokens,
      settings,
      startRenewal: startHeartbeats,
    }),
    stats: () => readStats(db, Object.keys(queues) as Queue[]),
  };
}

/**
 * Passes wake-ups to the loops that they concern, and the lanes that this process made and claimed in one statement.
 */
function passOn(
  signal: Signal,
  queueLoops: ReadonlyMap<string, QueueLoop>,
  laneLoops: ReadonlyMap<string, LaneLoop>,
): void {
  const claimed = toClaimedLane(signal);
  if (claimed !== undefined) laneLoops.get(claimed.lane.kind)?.take(claimed);
  const wake = toWake(signal);
  if (wake !== undefined) (wake.topic === 'jobs' ? queueLoops : laneLoops).get(wake.name)?.wake(wake.delayMs);
}
