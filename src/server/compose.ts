/** The composition root. Builds the product from the parts of its modules, in one place. */
import type { Server } from 'node:http';
import type { Logger } from 'pino';
import type { AdapterKind, LedgerControls } from '../carriers/adapter.ts';
import type { ConnectionDirectory } from '../carriers/connections/directory.ts';
import { carrierIngress } from '../carriers/inbox/plugin.ts';
import { NO_SHARERS, type Sharers } from '../carriers/inbox/sharers.ts';
import type { Context, Settings } from '../context.ts';
import { type Database, openDatabase, type Tx } from '../db/database.ts';
import type { RedisAddress } from '../db/redis-sentinels.ts';
import { createKeyDirectory, createSessionDirectory, type OidcSettings } from '../domain/accounts/index.ts';
import { createRequestRecorder, recordActions } from '../domain/audit/index.ts';
import { optInPages } from '../domain/compliance/index.ts';
import { dropLedgerMedia, optOutOnForm, sweepMessages, sweepNotes } from '../domain/messaging/index.ts';
import { dropLedgerDocuments, dropLedgerHoldAudio } from '../domain/numbers/index.ts';
import { applyVoiceEvents, callCountOf, dropLedgerAudio, sweepVoice } from '../domain/voice/index.ts';
import { attachSignalling, type Softphone, type SoftphoneOptions } from '../gateway/web-client/attach-signalling.ts';
import type { ConsoleApp } from '../http/console/app-routes.ts';
import { buildApp } from '../http/edge/app.ts';
import type { KeyDirectory } from '../http/edge/authenticate.ts';
import type { Api, RoutePlugin } from '../http/edge/types.ts';
import { createProbes } from '../http/pages/probes.ts';
import { createSingleFlight } from '../lib/concurrency/single-flight.ts';
import { createCipher } from '../lib/crypto/cipher.ts';
import { createMetrics, type Metrics } from '../lib/metrics.ts';
import { type Clock, systemClock } from '../lib/time/clock.ts';
import type { Lookup } from '../outbound/connector.ts';
import { createOutboundPools } from '../outbound/pools.ts';
import { endAllLeases } from '../queue/worker/lease.ts';
import { planSweeps } from '../queue/worker/sweep.ts';
import type { Workers } from '../queue/worker/workers.ts';
import { attachRealtime } from '../realtime/attach-realtime.ts';
import { createLocalVoice, type LocalVoice } from '../speech/local-voice.ts';
import { advanceLedgerClock } from '../test-clock/ledger-clock.ts';
import { resetLedger } from '../test-clock/reset-ledger.ts';
import { type BackgroundOptions, buildWorkers } from './background.ts';
import { EVENT_DESCRIPTIONS } from './event-descriptions.ts';
import { closeProduct, drainAudio, leaveService, type ProductState, phaseProblem } from './lifecycle/lifecycle.ts';
import { createFigures } from './metrics/figures.ts';
import { ADAPTER_KINDS } from './parts/adapter-kinds.ts';
import { followMoves } from './parts/follow-moves.ts';
import { createAgentServices } from './parts/open-agents.ts';
import { type BlobSettings, openBlobs } from './parts/open-blobs.ts';
import { carrierWork, openCarriers, openWebClients } from './parts/open-carriers.ts';
import { type GatewaySettings, linkStreams, openGateway } from './parts/open-gateway.ts';
import { limitsOf, openShared } from './parts/open-shared.ts';
import { openLiveVoice, openSpeech, type SpeechSettings } from './parts/open-speech.ts';
import { routesOf } from './routes.ts';
import { secretsOf } from './settings/config.ts';
import { TENANT_TEARDOWN } from './tenant-teardown.ts';

export type ComposeOptions = BackgroundOptions & {
  databaseUrl: string;
  /** The cell of the database; absent for the database of DATABASE_URL. */
  cell?: string;
  /**
   * Returns the function that logs in web clients of a ledger in another database. Returns undefined if the ledger is
   * in this database.
   */
  logInElsewhere?: SoftphoneOptions['logInElsewhere'];
  /** Returns the other databases that have a connection of this database too; none by default. */
  sharersOf?: (db: Database) => Sharers;
  /** One secret, or several with commas between them. The first one encrypts; all of them decrypt. */
  secret: string;
  settings: Settings;
  /** Where audio is stored. */
  blobs: BlobSettings;
  /** Services that transcribe, summarize and speak on live calls; none by default. */
  speech?: SpeechSettings;
  /** The speech for test calls, and for live calls without a speech service. Default: the voice of this machine. */
  localVoice?: LocalVoice;
  log: Logger;
  clock?: Clock;
  /** The most connections of the pool. */
  connectionsMax: number;
  /** If true, serves only probes and sockets, in a process without the API. */
  probesOnly?: boolean;
  /**
   * The app of the console. Default: the app that was built in this checkout. Null for a process without the console.
   */
  consoleApp?: ConsoleApp | null;
  /** The identity provider of the console. Without one, people sign in by links only. */
  oidc?: OidcSettings | null;
  /** The bearer token of /metrics on the public port. Without it /metrics is not served there. */
  metricsToken?: string | null;
  /**
   * The Redis for shared limits and for events between nodes. Without it each node has separate limits, and nodes send
   * events through PostgreSQL.
   */
  redis?: RedisAddress | null;
  /** How long a request waits for a limit in Redis; 100 ms by default. */
  redisAnswerMsMax?: number;
  /** The kinds of carriers of live ledgers; by default those of `server/parts/adapter-kinds.ts`. */
  adapterKinds?: readonly AdapterKind[];
  /** Resolves webhook hosts; the system's name servers by default. */
  lookup?: Lookup;
  /** Trust anchors for webhook receivers. They replace those of the runtime. */
  ca?: string;
};

export type Product = {
  readonly context: Context;
  readonly app: Api;
  readonly workers: Workers;
  /** Looks up the keys and browser sessions of this database. */
  readonly keys: KeyDirectory;
  /** Returns the function that logs in web clients of this database; undefined before the start. */
  logInWebClient(): Softphone['logIn'] | undefined;
  /** The connections to carriers that this process has read. */
  readonly connections: Pick<ConnectionDirectory, 'refresh' | 'list' | 'find' | 'isRead'>;
  /**
   * Starts the product. It listens on the bus, and serves the realtime socket on `server`. Without a server it only
   * forwards events to processes that have one. With `work` it starts the workers. With `alone` the caller promises
   * that no other process works on this database. The leases of an earlier process then end immediately.
   */
  start(options: { server: Server | null; work: boolean; alone?: boolean; gateway?: GatewayStart }): Promise<void>;
  /**
   * Takes the process out of service. It is not ready from now on, and after `lameDuckMs` it accepts no new
   * connections. Workers and running calls continue.
   */
  leave(lameDuckMs: number): Promise<void>;
  /** Waits at most `drainMs` for the audio on this node to end. Workers continue. */
  drain(drainMs: number): Promise<void>;
  /**
   * Ends sockets, requests and workers, then connections. Takes at most about 9 s, even if the database does not
   * answer.
   */
  close(): Promise<void>;
};

/** The server and address of this process's media gateway. */
type GatewayStart = GatewaySettings & { readonly server: Server };

/**
 * The most connections to one origin. An endpoint has at most as many concurrent deliveries, so no delivery waits for a
 * connection.
 */
const ENDPOINT_CONNECTIONS = 512;

/** Builds the product on a migrated database. It does not listen or connect before `app.listen()` and `start()`. */
export async function compose(options: ComposeOptions): Promise<Product> {
  const { databaseUrl: url, connectionsMax, log, clock = systemClock, adapterKinds: kinds = ADAPTER_KINDS } = options;
  const { localVoice = createLocalVoice({ log }), logInElsewhere, sharersOf = () => NO_SHARERS } = options;
  const db = openDatabase({ url, connectionsMax, log });
  const metrics = createMetrics(clock.now);
  const cipher = createCipher(secretsOf(options.secret));
  const voice = openLiveVoice({ ...options, localVoice }, db);
  const blobs = openBlobs(options.blobs);
  const opened = openCarriers({ db, cipher, metrics, log, clock, voice, localVoice, kinds, blobs, sharersOf });
  const { carriers, networkOf, adapters, connections } = opened;
  const shared = await openShared(options, db);
  const speech = openSpeech(options.speech, { ownSpeech: (ledger) => networkOf(ledger)?.speech, voice });
  const context = buildContext(options, { db, cipher, metrics, bus: shared.bus, blobs, carriers });
  opened.addTaker(applyVoiceEvents(context));
  const webClients = openWebClients(context, networkOf);
  const background = { ...carrierWork(context, opened, webClients.jobs), webClients: webClients.routes, speech };
  const { workers, sweeps } = buildWorkers(options, context, background);
  const figures = createFigures(context, workers);
  const state: ProductState = { phase: 'starting', sockets: [] };
  const keys = createKeyDirectory(context);
  followMoves({ keys, connections, log });
  const recorder = createRequestRecorder(context);
  const app = await buildApp({
    ...{ context, credentials: { keys, sessions: createSessionDirectory(context) }, requestSink: recorder },
    ...routesOf(options, {
      ...{ adapters, speech, voice },
      recorder,
      controls: controlLedgers(options, { db, workers }),
      makeLimiter: shared.makeLimiter,
      pages: [optInPages(shared.makeLimiter, optOutOnForm), carrierIngress(connections, opened.sharers)],
      probes: probesOf(options, state),
    }),
    events: EVENT_DESCRIPTIONS,
    isStopping: () => state.phase === 'stopping',
    ...limitsOf(shared, connectionsMax),
  });
  countForMetrics(metrics, db);
  const parts = { context, app, workers, figures, recorder };
  return {
    ...{ context, app, workers, keys, connections, logInWebClient: () => state.softphone?.logIn },
    start: async ({ server, work, alone, gateway }) => {
      await context.bus.start();
      await connections.start({ listen: work });
      linkStreams(context);
      state.realtime = attachRealtime(server, context, { keys });
      serveSignalling(state, server, context, { ...webClients, keys, speech, logInElsewhere });
      if (gateway !== undefined) {
        const { audio: authorizer, exchange } = webClients;
        const agents = createAgentServices(context, speech);
        const parts = { authorizer, exchange, handsets: opened.handsets, synthesizer: voice, agents };
        state.gateway = await openGateway(gateway.server, context, { ...gateway, ...parts });
        state.sockets.push(state.gateway);
      }
      if (work) {
        if (alone === true) await endAllLeases(db);
        await planSweeps(db, sweeps);
        workers.start();
      }
      figures.start();
      state.phase = 'serving';
    },
    leave: (lameDuckMs) => leaveService(state, parts, lameDuckMs),
    drain: (drainMs) => drainAudio(state, log, drainMs),
    close: async () => {
      await closeProduct(state, { ...parts, connections });
      await Promise.all([shared.close(), blobs.close(), speech.close()]);
    },
  };
}

/**
 * Returns the probes of the process. The product of a cell has none, because its paths are public and probes are not.
 */
function probesOf({ cell, metricsToken = null }: ComposeOptions, state: ProductState): RoutePlugin {
  if (cell !== undefined) return () => undefined;
  return createProbes({ phaseProblem: () => phaseProblem(state), metricsToken });
}

/** Serves the signalling of web clients, and counts the web clients that are logged in. */
function serveSignalling(
  state: ProductState,
  server: Server | null,
  context: Context,
  options: SoftphoneOptions,
): void {
  const signalling = attachSignalling(server, context, options);
  const { metrics } = context;
  metrics.sample(() => metrics.webClientSockets.set({ kind: 'signalling' }, signalling.size));
  state.softphone = signalling;
  state.sockets.push(signalling);
}

/** Counts calls, and samples the database pool. */
function countForMetrics(metrics: Metrics, db: Database): void {
  db.onSignal((signal) => {
    const call = callCountOf(signal);
    if (call === undefined) return;
    const { direction, outcome } = call;
    if (call.ended) metrics.callsEnded.inc({ direction, outcome });
    else metrics.callsStarted.inc({ direction });
  });
  metrics.sample(() => {
    const { busy, idle, max, waiting } = db.pool();
    metrics.dbConnections.set({ state: 'busy' }, busy);
    metrics.dbConnections.set({ state: 'idle' }, idle);
    metrics.dbConnectionsMax.set(max);
    metrics.dbWaiting.set(waiting);
  });
}

/** The limits of the sweep that follows a change of the clock. The regular sweeps do the rest. */
const RETENTION = { rowsMax: 200, roundsMax: 50 } as const;

/** Deletes rows whose retention is over because the clock was moved. */
async function sweepRetention(db: Database, ledgerId: number): Promise<void> {
  const round = { rowsMax: RETENTION.rowsMax, ledgerId };
  for (let rounds = 0; rounds < RETENTION.roundsMax; rounds++) {
    const rows = (await sweepMessages(db, round)) + (await sweepNotes(db, round)) + (await sweepVoice(db, round));
    if (rows === 0) return;
  }
}

/** Returns the controls of a test ledger: they move its clock and empty it. */
function controlLedgers({ log }: ComposeOptions, { db, workers }: { db: Database; workers: Workers }): LedgerControls {
  return {
    advance: async (ledgerId, advanceMs) => {
      const now = await advanceLedgerClock({ db, workers, log, ledgerId, advanceMs });
      await sweepRetention(db, ledgerId);
      return now;
    },
    reset: (scope) => {
      const { ledgerId } = scope;
      const beforeEmptying = async (tx: Tx) => {
        await dropLedgerAudio(tx, ledgerId);
        await dropLedgerDocuments(tx, ledgerId);
        await dropLedgerMedia(tx, ledgerId);
        await dropLedgerHoldAudio(tx, ledgerId);
        await recordActions(tx, scope, [{ action: 'test_ledger.reset', resourceId: scope.accountId, tenantId: null }]);
      };
      return resetLedger({ db, log, ledgerId, beforeEmptying });
    },
  };
}

function buildContext(
  options: ComposeOptions,
  {
    db,
    cipher,
    metrics,
    bus,
    blobs,
    carriers,
  }: Pick<Context, 'db' | 'cipher' | 'metrics' | 'bus' | 'blobs' | 'carriers'>,
): Context {
  const { log, clock = systemClock, settings, lookup, ca } = options;
  const shared = { connections: ENDPOINT_CONNECTIONS, ...(lookup && { lookup }), ...(ca && { ca }) };
  return {
    settings,
    db,
    clock,
    log,
    metrics,
    cipher,
    carriers,
    singleFlight: createSingleFlight(),
    teardown: TENANT_TEARDOWN,
    bus,
    blobs,
    outbound: {
      live: createOutboundPools({ ...shared, allowLoopback: false }),
      test: createOutboundPools({ ...shared, allowLoopback: settings.allowLocalWebhooks }),
    },
  };
}
