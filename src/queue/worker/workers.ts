import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import type { JobHandler, LaneHandler, Queue } from '../jobs/job.ts';
import { releaseJobs } from '../jobs/job-claims.ts';
import { type CallObserver, createJobRunner } from '../jobs/job-runner.ts';
import { createLaneLoop } from '../lanes/lane-loop.ts';
import { releaseLane } from '../lanes/lanes.ts';
import { createTokens, LeaseLostError } from './lease.ts';
import { type DueOptions, type DueReport, runLedgerDue } from './ledger-run.ts';
import { createQueueLoop } from './queue-loop.ts';
import { WORKER_SETTINGS, type WorkerSettings } from './settings.ts';
import { type QueueStats, readStats } from './stats.ts';
import { toWake } from './wake.ts';

export type Workers = {
  /** Begins to claim. */
  start(): void;
  /**
   * Claims no more, gives back what has not started and waits for what has, at most `deadlineMs` (8 s); what then
   * still runs loses its claim, so that its effects roll back and another worker may take it.
   */
  stop(options?: { deadlineMs?: number }): Promise<void>;
  /** Runs what is due in one ledger, in order, until nothing is; also before `start`. */
  runDue(ledgerId: number, options?: DueOptions): Promise<DueReport>;
  /** What is in force here. */
  readonly settings: WorkerSettings;
  /** Depth and age of the queues, for metrics. */
  stats(): Promise<QueueStats[]>;
};

type WorkersOptions = {
  db: Database;
  log: Logger;
  handlers: readonly JobHandler[];
  laneHandlers?: readonly LaneHandler[];
  settings?: Partial<WorkerSettings>;
  /**
   * Most handler calls at a time per queue; a queue that is not named is not worked on here. Their sum, and that of
   * the lanes, should stay below the connections of `db`, or a queue waits for the connections of another.
   */
  queues: Partial<Readonly<Record<Queue, number>>>;
  observe?: CallObserver;
};

const STOP_DEADLINE_MS = 8_000;

/** Workers for the kinds of jobs and lanes that have a handler; other kinds are left to other processes. */
export function createWorkers(options: WorkersOptions): Workers {
  const { db, log, handlers, laneHandlers = [], queues, observe } = options;
  const settings = { ...WORKER_SETTINGS, ...options.settings };
  const tokens = createTokens();
  const runner = createJobRunner({ db, log, handlers, settings, observe });
  const queueLoops = new Map(
    Object.entries(queues).map(([name, concurrencyMax]) => {
      const queue = name as Queue;
      return [name, createQueueLoop({ db, log, queue, concurrencyMax, runner, tokens, settings })];
    }),
  );
  const laneLoops = new Map(
    laneHandlers.map((handler) => [handler.kind, createLaneLoop({ db, log, handler, tokens, settings, observe })]),
  );
  const loops = [...queueLoops.values(), ...laneLoops.values()];
  const heartbeats = [runner.inHand, ...[...laneLoops.values()].map((loop) => loop.inHand)];
  db.onSignal((signal) => {
    const wake = toWake(signal);
    if (wake !== undefined) (wake.topic === 'jobs' ? queueLoops : laneLoops).get(wake.name)?.wake(wake.delayMs);
  });

  const handsEmpty = () => heartbeats.every((heartbeat) => heartbeat.held().length === 0);
  const startHeartbeats = () => {
    for (const heartbeat of heartbeats) heartbeat.start();
  };

  const giveUp = async () => {
    const jobs = runner.inHand.held();
    const lanes = [...laneLoops.values()].flatMap((loop) => loop.inHand.held());
    log.warn({ jobs: jobs.length, lanes: lanes.length }, 'handlers still at work at the deadline lose their claims');
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
      const deadline = performance.now() + deadlineMs;
      await Promise.all(loops.map((loop) => loop.stop()));
      while (!handsEmpty() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5));
      if (!handsEmpty()) {
        await giveUp().catch((error: unknown) =>
          log.warn({ err: error }, 'claims not given up: they end with their lease'),
        );
      }
      for (const heartbeat of heartbeats) heartbeat.stop();
    },
    runDue: (ledgerId, dueOptions = {}) => {
      startHeartbeats();
      return runLedgerDue({ db, runner, laneLoops: [...laneLoops.values()], tokens, settings }, ledgerId, dueOptions);
    },
    settings,
    stats: () => readStats(db, Object.keys(queues) as Queue[]),
  };
}
