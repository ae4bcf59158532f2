/** The background work of the product: the handlers of all jobs and lanes, and all sweeps. */
import type { Context } from '../context.ts';
import { browserSessionSweeps, consoleSweeps } from '../domain/accounts/index.ts';
import { auditSweeps, requestLogSweeps } from '../domain/audit/index.ts';
import { billingSweeps, type Prices, STANDARD_PRICES } from '../domain/billing/index.ts';
import { complianceJobs } from '../domain/compliance/index.ts';
import {
  createDeliveryLanes,
  eventSweeps,
  failingEndpointJob,
  replayJob,
  replaySweeps,
} from '../domain/events/index.ts';
import {
  createAutoReplier,
  createCampaignLanes,
  createMediaKeeper,
  createRedactionHandler,
  createReleaseHandler,
  createSnoozeHandler,
  createSubmitBatchHandler,
  createSubmitHandler,
  messagingSweeps,
} from '../domain/messaging/index.ts';
import {
  assignCampaignNumbers,
  e911Jobs,
  holdAudioJob,
  numberJobs,
  portInJobs,
  portInSweeps,
} from '../domain/numbers/index.ts';
import { createEraser, createExporter, exportSweep } from '../domain/privacy/index.ts';
import {
  audioJobs,
  audioSweeps,
  callSweeps,
  createCallLanes,
  createQueueDecider,
  createTimerHandler,
  queueSweep,
  streamJobs,
  streamSweeps,
  voiceRetention,
  type WebClientRoutes,
} from '../domain/voice/index.ts';
import { createIdempotencySweep } from '../http/writes/idempotency.ts';
import { createBlobDropper } from '../queue/jobs/drop-blobs.ts';
import type { JobHandler } from '../queue/jobs/job.ts';
import type { LaneHandler } from '../queue/lanes/lane.ts';
import type { WorkerSettings } from '../queue/worker/settings.ts';
import type { Sweep } from '../queue/worker/sweep.ts';
import { linkWakeups } from '../queue/worker/wake.ts';
import { createWorkers, type Workers } from '../queue/worker/workers.ts';
import type { Speech } from '../speech/port.ts';
import { movedRowsSweep } from './cells/move/moved-rows-queries.ts';
import { noticeSweep } from './notices/settle-notice.ts';
import { attemptSweep, createAttemptCounter } from './queues/attempt-counter.ts';

export type BackgroundOptions = {
  workerSettings?: Partial<WorkerSettings>;
  /** Prices of live usage; the built-in list by default. */
  prices?: Prices;
};

/** Parts that come from the carriers and the settings. */
type BackgroundParts = {
  readonly carrierHandlers: readonly JobHandler[];
  readonly carrierLanes: readonly LaneHandler[];
  readonly carrierSweeps: readonly Sweep[];
  readonly speech: Speech;
  readonly webClients: WebClientRoutes;
};

const HANDLER_CALLS_MAX = { messaging: 2, voice: 4, audio: 4, default: 4 } as const;

/** Builds the workers. They take no work before their start. */
export function buildWorkers(
  { workerSettings, prices = STANDARD_PRICES }: BackgroundOptions,
  context: Context,
  { carrierHandlers, carrierLanes, carrierSweeps, speech, webClients }: BackgroundParts,
): { workers: Workers; sweeps: Sweep[] } {
  const { db } = context;
  const sweeps = [
    ...eventSweeps(context),
    ...consoleSweeps(context),
    ...replaySweeps(context),
    ...auditSweeps(context),
    ...requestLogSweeps(context),
    ...browserSessionSweeps(context),
    ...messagingSweeps(context),
    ...streamSweeps(context),
    ...callSweeps(context),
    queueSweep(context),
    ...voiceRetention(context),
    ...audioSweeps(context),
    ...portInSweeps(context),
    ...[
      exportSweep(db),
      movedRowsSweep(context),
      noticeSweep(context),
      attemptSweep(context),
      createIdempotencySweep(db),
    ],
    ...billingSweeps(context, prices),
    ...carrierSweeps,
  ];
  const laneHandlers = [
    createDeliveryLanes(context),
    createCampaignLanes(context),
    createCallLanes(context, speech, webClients),
    ...carrierLanes,
  ];
  const handlers = [
    createSubmitHandler(context),
    createSubmitBatchHandler(context),
    createReleaseHandler(context),
    createSnoozeHandler(context),
    createMediaKeeper(context),
    createRedactionHandler(context),
    createAutoReplier(context),
    failingEndpointJob(context),
    replayJob(context),
    ...numberJobs(context),
    holdAudioJob(context),
    ...e911Jobs(context),
    ...portInJobs(context),
    ...complianceJobs(context, assignCampaignNumbers),
    createTimerHandler(context),
    createQueueDecider(context),
    ...streamJobs(context),
    ...audioJobs(context, speech),
    createBlobDropper(context),
    createEraser(context),
    createExporter(context),
    ...carrierHandlers,
  ] as JobHandler[];
  return {
    workers: createCountedWorkers(context, { handlers, laneHandlers, sweeps, settings: workerSettings }),
    sweeps,
  };
}

type Work = {
  readonly handlers: readonly JobHandler[];
  readonly laneHandlers: readonly LaneHandler[];
  readonly sweeps: readonly Sweep[];
  readonly settings: Partial<WorkerSettings> | undefined;
};

/** Creates the workers. Their attempts are counted in the metrics of the process and in a table for all processes. */
function createCountedWorkers({ db, bus, log, metrics }: Context, work: Work): Workers {
  const { handlers, laneHandlers, sweeps, settings } = work;
  const counter = createAttemptCounter({ db, log });
  const workers = createWorkers({
    db,
    log: log.child({ part: 'jobs' }),
    handlers: [...handlers, ...sweeps.map((sweep) => sweep.handler)],
    laneHandlers,
    queues: HANDLER_CALLS_MAX,
    ...(settings && { settings }),
    observe: ({ kind, result, durationMs }) => {
      metrics.jobs.observe({ kind, result }, durationMs / 1000);
      counter.count({ kind, result });
    },
  });
  linkWakeups({ db, bus, laneKinds: laneHandlers.map(({ kind }) => kind) });
  return { ...workers, stop: (options) => workers.stop(options).then(counter.close) };
}
