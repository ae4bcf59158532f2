/** The composition root: builds everything once, from the modules' parts. */
import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { Carrier, CarrierEventSink, Carriers } from '../carriers/port.ts';
import { createSimulatedCarrier } from '../carriers/simulated/index.ts';
import type { Context, Settings } from '../context.ts';
import { createBus } from '../db/bus.ts';
import { openDatabase } from '../db/database.ts';
import { findKeyHolder, hashKey, KEY_FORM } from '../domain/accounts/index.ts';
import { createDeliveryLanes } from '../domain/events/index.ts';
import { applyMessagingEvents, createSubmitHandler } from '../domain/messaging/index.ts';
import { numberJobs, releaseTenantNumbers } from '../domain/numbers/index.ts';
import { buildApp } from '../http/app.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { PAGES, ROUTES } from '../http/routes.ts';
import type { Api } from '../http/types.ts';
import type { JobHandler } from '../jobs/job.ts';
import { advanceLedgerClock } from '../jobs/ledger-clock.ts';
import type { WorkerSettings } from '../jobs/settings.ts';
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
  /** Serves the realtime socket on this server, or only announces events without one. */
  attach(server: Server | null): void;
  /** Ends realtime sockets, requests, workers and connections, in this order. */
  close(): Promise<void>;
};

const CONNECTIONS_MAX = 24;
const HANDLER_CALLS_MAX = { messaging: 4, voice: 4, default: 4 } as const;

/** Builds the product on a migrated database. Nothing runs yet: `workers.start()` and `app.listen()` do that. */
export async function compose(options: ComposeOptions): Promise<Product> {
  const { log, clock = systemClock, settings } = options;
  const db = openDatabase({ url: options.databaseUrl, connectionsMax: options.connectionsMax ?? CONNECTIONS_MAX, log });
  const sink: CarrierEventSink = (ledger, events) => db.transaction((tx) => applyMessagingEvents(tx, ledger, events));
  const simulated = createSimulatedCarrier({ db, sink });
  const live = options.liveCarrier?.({ sink });
  const shared = { ...(options.lookup && { lookup: options.lookup }), ...(options.ca && { ca: options.ca }) };
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
  const handlers = [createSubmitHandler(context), ...numberJobs(context), ...simulated.handlers] as JobHandler[];
  const workers = createWorkers({
    db,
    log: log.child({ part: 'jobs' }),
    handlers,
    laneHandlers: [createDeliveryLanes(context)],
    queues: HANDLER_CALLS_MAX,
    ...(options.workerSettings && { settings: options.workerSettings }),
    observe: ({ kind, result, durationMs }) => context.metrics.jobs.observe({ kind, result }, durationMs / 1000),
  });
  const simulation = simulated.routes((ledgerId, advanceMs) =>
    advanceLedgerClock({ db, workers, log, ledgerId, advanceMs }),
  );
  const app = await buildApp({
    context,
    keys: { form: KEY_FORM, hash: hashKey, find: (hash) => findKeyHolder(db, hash) },
    routes: [...ROUTES, ...simulation],
    pages: PAGES,
    ...(options.limiter && { limiter: options.limiter }),
  });
  let realtime: ReturnType<typeof attachRealtime> | undefined;
  return {
    context,
    app,
    workers,
    attach: (server) => {
      realtime = attachRealtime(server, context);
    },
    close: async () => {
      await realtime?.close();
      await app.close();
      await workers.stop();
      await Promise.all([context.outbound.live.close(), context.outbound.test.close()]);
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
