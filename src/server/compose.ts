/** The composition root: builds everything once, from the modules' parts. */
import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { Carrier, CarrierEventSink, Carriers } from '../carriers/port.ts';
import { createSimulatedCarrier } from '../carriers/simulated/index.ts';
import type { Context, Settings } from '../context.ts';
import { createBus } from '../db/bus.ts';
import { openDatabase } from '../db/database.ts';
import { findKeyHolder, hashKey, KEY_FORM } from '../domain/accounts/index.ts';
import { createDeliveryLanes, eventSweeps } from '../domain/events/index.ts';
import { applyMessagingEvents, createSubmitHandler } from '../domain/messaging/index.ts';
import { numberJobs, releaseTenantNumbers } from '../domain/numbers/index.ts';
import { buildApp } from '../http/app.ts';
import { idempotencySweep } from '../http/idempotency-sweep.ts';
import { createProbes, docsPages } from '../http/pages/index.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { ROUTES } from '../http/routes.ts';
import type { Api } from '../http/types.ts';
import type { JobHandler } from '../jobs/job.ts';
import { advanceLedgerClock } from '../jobs/ledger-clock.ts';
import type { WorkerSettings } from '../jobs/settings.ts';
import { linkWakeups } from '../jobs/wakeup.ts';
import { createWorkers, type Workers } from '../jobs/workers.ts';
import { createCipher } from '../lib/cipher.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { ApiError } from '../lib/errors.ts';
import { createMetrics } from '../lib/metrics.ts';
import type { Ledger } from '../lib/scope.ts';
import { createTurns } from '../lib/turns.ts';
import type { Lookup } from '../outbound/connector.ts';
import { createOutboundPools } from '../outbound/pools.ts';
import { attachRealtime } from '../realtime/attach-realtime.ts';

export type ComposeOptions = {
  databaseUrl: string;
  secret: string;
  settings: Settings;
  log: Logger;
  clock?: Clock;
  connectionsMax?: number;
  workerSettings?: Partial<WorkerSettings>;
  limiter?: RateLimiter;
  /** The carrier of live ledgers; without one live operations are carrier_unavailable. */
  liveCarrier?: (product: { sink: CarrierEventSink }) => Carrier;
  /** Resolves webhook hosts; the system's name servers by default. */
  lookup?: Lookup;
  /** Trust anchors for webhook receivers, in place of the runtime's. */
  ca?: string;
};

export type Product = {
  readonly context: Context;
  readonly app: Api;
  readonly workers: Workers;
  /**
   * Begins to run: hears the other processes, serves the realtime socket on `server` (or, without one, only passes
   * events on to those that do) and, where this process is to work, begins to.
   */
  start(options: { server: Server | null; work: boolean }): Promise<void>;
  /** Ends realtime sockets, requests, workers and connections, in this order. */
  close(): Promise<void>;
};

const CONNECTIONS_MAX = 24;
/** To one origin: as many as deliveries to one endpoint run at a time, so that none waits for a connection. */
const ENDPOINT_CONNECTIONS = 64;
const HANDLER_CALLS_MAX = { messaging: 4, voice: 4, default: 4 } as const;

/** Builds the product on a migrated database. Nothing runs or connects yet: `app.listen()` and `start()` see to that. */
export async function compose(options: ComposeOptions): Promise<Product> {
  const { log, clock = systemClock, settings } = options;
  const db = openDatabase({ url: options.databaseUrl, connectionsMax: options.connectionsMax ?? CONNECTIONS_MAX, log });
  const sink: CarrierEventSink = (ledger, events) => db.transaction((tx) => applyMessagingEvents(tx, ledger, events));
  const simulated = createSimulatedCarrier({ db, sink });
  const live = options.liveCarrier?.({ sink });
  const shared = {
    connections: ENDPOINT_CONNECTIONS,
    ...(options.lookup && { lookup: options.lookup }),
    ...(options.ca && { ca: options.ca }),
  };
  const context: Context = {
    settings,
    db,
    clock,
    log,
    metrics: createMetrics(),
    cipher: createCipher(options.secret),
    carriers: chooseCarriers(simulated.carrier, live),
    turns: createTurns(),
    teardown: [releaseTenantNumbers],
    bus: createBus(db, log),
    outbound: {
      live: createOutboundPools({ ...shared, allowLoopback: false }),
      test: createOutboundPools({ ...shared, allowLoopback: settings.allowLocalWebhooks }),
    },
  };
  const sweeps = [...eventSweeps(context), idempotencySweep(context)];
  const handlers = [
    createSubmitHandler(context),
    ...numberJobs(context),
    ...simulated.handlers,
    ...sweeps.map((sweep) => sweep.handler),
  ] as JobHandler[];
  const deliveries = createDeliveryLanes(context);
  const workers = createWorkers({
    db,
    log: log.child({ part: 'jobs' }),
    handlers,
    laneHandlers: [deliveries],
    queues: HANDLER_CALLS_MAX,
    ...(options.workerSettings && { settings: options.workerSettings }),
    observe: ({ kind, result, durationMs }) => context.metrics.jobs.observe({ kind, result }, durationMs / 1000),
  });
  linkWakeups({ db, bus: context.bus, laneKinds: [deliveries.kind] });
  const state = { stopping: false };
  const simulation = simulated.routes((ledgerId, advanceMs) =>
    advanceLedgerClock({ db, workers, log, ledgerId, advanceMs }),
  );
  const app = await buildApp({
    context,
    keys: { form: KEY_FORM, hash: hashKey, find: (hash) => findKeyHolder(db, hash) },
    routes: [...ROUTES, ...simulation],
    pages: [...docsPages, createProbes({ isStopping: () => state.stopping, readQueueStats: workers.stats })],
    ...(options.limiter && { limiter: options.limiter }),
  });
  let realtime: ReturnType<typeof attachRealtime> | undefined;
  return {
    context,
    app,
    workers,
    start: async ({ server, work }) => {
      await context.bus.start();
      realtime = attachRealtime(server, context);
      if (!work) return;
      await Promise.all(sweeps.map((sweep) => sweep.plan(db)));
      workers.start();
    },
    close: async () => {
      state.stopping = true;
      await realtime?.close();
      await app.close();
      await workers.stop();
      // What still runs has lost its claim by now and is sent again elsewhere.
      await Promise.all([context.outbound.live.destroy(), context.outbound.test.destroy()]);
      await context.bus.close();
      await db.close();
    },
  };
}

/** Test ledgers have the simulated carrier, live ones the configured. */
function chooseCarriers(simulated: Carrier, live: Carrier | undefined): Carriers {
  const capability =
    <Name extends 'numbers' | 'messaging'>(name: Name) =>
    (ledger: Ledger): NonNullable<Carrier[Name]> => {
      const port = (ledger.mode === 'test' ? simulated : live)?.[name];
      if (port === undefined) throw new ApiError('carrier_unavailable', { retryAfterS: 60 });
      return port;
    };
  return { numbers: capability('numbers'), messaging: capability('messaging') };
}
