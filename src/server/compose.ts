/** The composition root: builds everything once, from the modules' parts. */
import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { Carrier, CarrierEventSink, Carriers } from '../carriers/port.ts';
import { createSimulatedCarrier } from '../carriers/simulated/index.ts';
import type { Context, Settings } from '../context.ts';
import { createBus } from '../db/bus.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { createKeyDirectory, revokeTenantKeys } from '../domain/accounts/index.ts';
import { billingSweeps, type Prices, STANDARD_PRICES } from '../domain/billing/index.ts';
import {
  applyComplianceEvents,
  complianceJobs,
  deleteTenantForms,
  endTenantCampaigns,
  optInPages,
} from '../domain/compliance/index.ts';
import { createDeliveryLanes, eventSweeps } from '../domain/events/index.ts';
import {
  applyMessagingEvents,
  countPacedMessages,
  createCampaignLanes,
  createSubmitHandler,
} from '../domain/messaging/index.ts';
import {
  applyPortingEvents,
  assignCampaignNumbers,
  cancelTenantPortIns,
  deleteTenantAddresses,
  e911Jobs,
  numberJobs,
  portInJobs,
  releaseTenantNumbers,
} from '../domain/numbers/index.ts';
import { buildApp } from '../http/app.ts';
import { createIdempotencySweep } from '../http/idempotency-sweep.ts';
import { createProbes, docsPages } from '../http/pages/index.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { ROUTES } from '../http/routes.ts';
import type { Api } from '../http/types.ts';
import type { JobHandler } from '../jobs/job.ts';
import { advanceLedgerClock } from '../jobs/ledger-clock.ts';
import { resetLedger } from '../jobs/reset-ledger.ts';
import type { WorkerSettings } from '../jobs/settings.ts';
import type { Sweep } from '../jobs/sweep.ts';
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
  /** What live usage costs; the standard list by default. */
  prices?: Prices;
  /**
   * The carrier of live ledgers; without one live operations are carrier_unavailable. It may build upon the simulated
   * one, whose receipts reach whichever ledger gave it the text.
   */
  liveCarrier?: (product: { sink: CarrierEventSink; simulated: Carrier }) => Carrier;
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

/** The modules that take carrier events in, each those that it knows. */
const EVENT_TAKERS = [applyMessagingEvents, applyComplianceEvents, applyPortingEvents] as const;

const CONNECTIONS_MAX = 24;
/** To one origin: as many as deliveries to one endpoint run at a time, so that none waits for a connection. */
const ENDPOINT_CONNECTIONS = 64;
const HANDLER_CALLS_MAX = { messaging: 4, voice: 4, default: 4 } as const;

/** Builds the product on a migrated database. Nothing runs or connects yet: `app.listen()` and `start()` see to that. */
export async function compose(options: ComposeOptions): Promise<Product> {
  const db = openDatabase({
    url: options.databaseUrl,
    connectionsMax: options.connectionsMax ?? CONNECTIONS_MAX,
    log: options.log,
  });
  const sink: CarrierEventSink = (ledger, events) =>
    db.transaction(async (tx) => {
      for (const apply of EVENT_TAKERS) await apply(tx, ledger, events);
    });
  const simulated = createSimulatedCarrier({ db, sink });
  const live = options.liveCarrier?.({ sink, simulated: simulated.carrier });
  const context = buildContext(options, db, chooseCarriers(simulated.carrier, live));
  const { workers, sweeps } = buildWorkers(options, context, simulated.handlers);
  const state: ProductState = { stopping: false, realtime: undefined };
  const app = await buildApp({
    context,
    keys: createKeyDirectory(context),
    routes: [
      ...ROUTES,
      ...simulated.routes({
        advance: (ledgerId, advanceMs) => advanceLedgerClock({ db, workers, log: options.log, ledgerId, advanceMs }),
        reset: (ledgerId) => resetLedger({ db, log: options.log, ledgerId }),
      }),
    ],
    pages: [
      ...docsPages,
      optInPages,
      createProbes({
        isStopping: () => state.stopping,
        readQueueStats: workers.stats,
        readPaced: () => countPacedMessages(db),
      }),
    ],
    ...(options.limiter && { limiter: options.limiter }),
  });
  return {
    context,
    app,
    workers,
    start: async ({ server, work }) => {
      await context.bus.start();
      state.realtime = attachRealtime(server, context);
      if (!work) return;
      await Promise.all(sweeps.map((sweep) => sweep.plan(db)));
      workers.start();
    },
    close: () => closeProduct(state, { context, app, workers }),
  };
}

type ProductState = { stopping: boolean; realtime: ReturnType<typeof attachRealtime> | undefined };

async function closeProduct(
  state: ProductState,
  { context, app, workers }: Pick<Product, 'context' | 'app' | 'workers'>,
): Promise<void> {
  state.stopping = true;
  await state.realtime?.close();
  await app.close();
  await workers.stop();
  // What still runs has lost its claim by now and is sent again elsewhere.
  await Promise.all([context.outbound.live.destroy(), context.outbound.test.destroy()]);
  await context.bus.close();
  await context.db.close();
}

function buildContext(options: ComposeOptions, db: Database, carriers: Carriers): Context {
  const { log, clock = systemClock, settings, lookup, ca } = options;
  const shared = { connections: ENDPOINT_CONNECTIONS, ...(lookup && { lookup }), ...(ca && { ca }) };
  return {
    settings,
    db,
    clock,
    log,
    metrics: createMetrics(),
    cipher: createCipher(options.secret),
    carriers,
    turns: createTurns(),
    // Port-ins first and addresses after the numbers: what completes meanwhile is released, what is released is free.
    teardown: [
      cancelTenantPortIns,
      releaseTenantNumbers,
      deleteTenantAddresses,
      endTenantCampaigns,
      revokeTenantKeys,
      deleteTenantForms,
    ],
    bus: createBus(db, log),
    outbound: {
      live: createOutboundPools({ ...shared, allowLoopback: false }),
      test: createOutboundPools({ ...shared, allowLoopback: settings.allowLocalWebhooks }),
    },
  };
}

/** Everything durable that this program can carry out. */
function buildWorkers(
  options: ComposeOptions,
  context: Context,
  carrierHandlers: readonly JobHandler[],
): { workers: Workers; sweeps: Sweep[] } {
  const { db, bus, log, metrics } = context;
  const sweeps = [
    ...eventSweeps(context),
    createIdempotencySweep(db),
    ...billingSweeps(context, options.prices ?? STANDARD_PRICES),
  ];
  const laneHandlers = [createDeliveryLanes(context), createCampaignLanes(context)];
  const handlers = [
    createSubmitHandler(context),
    ...numberJobs(context),
    ...e911Jobs(context),
    ...portInJobs(context),
    ...complianceJobs(context, assignCampaignNumbers),
    ...carrierHandlers,
  ] as JobHandler[];
  const workers = createWorkers({
    db,
    log: log.child({ part: 'jobs' }),
    handlers: [...handlers, ...sweeps.map((sweep) => sweep.handler)],
    laneHandlers,
    queues: HANDLER_CALLS_MAX,
    ...(options.workerSettings && { settings: options.workerSettings }),
    observe: ({ kind, result, durationMs }) => metrics.jobs.observe({ kind, result }, durationMs / 1000),
  });
  linkWakeups({ db, bus, laneKinds: laneHandlers.map(({ kind }) => kind) });
  return { workers, sweeps };
}

/** Test ledgers have the simulated carrier, live ones the configured. */
function chooseCarriers(simulated: Carrier, live: Carrier | undefined): Carriers {
  const capability =
    <Name extends keyof Carriers>(name: Name) =>
    (ledger: Ledger): NonNullable<Carrier[Name]> => {
      const port = (ledger.mode === 'test' ? simulated : live)?.[name];
      if (port === undefined) throw new ApiError('carrier_unavailable', { retryAfterS: 60 });
      return port;
    };
  return {
    numbers: capability('numbers'),
    messaging: capability('messaging'),
    registry: capability('registry'),
    e911: capability('e911'),
    porting: capability('porting'),
  };
}
