import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { joinMetricTexts } from './join-metrics.ts';
import { VERSION } from './program.ts';
import { monotonicMs } from './time/time.ts';

const LATENCY_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** Scrapes within this time share one rendering. */
const SHARED_MS = 2_000;

export type Metrics = ReturnType<typeof createMetrics>;

/** Makes the metrics of one process, on a separate registry. Labels have values from closed lists only. */
export function createMetrics(nowMs: () => number = monotonicMs) {
  const registry = new Registry();
  const registers = [registry];
  const samplers: (() => void)[] = [];
  const others = new Set<() => Promise<string>>();
  const defined = {
    ...createTrafficMetrics(registers),
    ...createCallMetrics(registers),
    ...createQueueMetrics(registers),
    ...createProcessMetrics(registers),
  };
  defined.build.set({ version: VERSION, node_version: process.versions.node }, 1);
  let shared: { text: Promise<string>; untilMs: number } | undefined;
  return {
    registry,
    ...defined,
    /** Adds a function that sets gauges from memory; it runs before each rendering, so it must be quick. */
    sample: (sampler: () => void): void => {
      samplers.push(sampler);
    },
    /** Gives every sample a label, so that the metrics of several products can be joined. */
    label: (labels: Readonly<Record<string, string>>): void => registry.setDefaultLabels(labels),
    /** Adds metrics of another product of this process. @returns a function that removes them */
    join: (scrape: () => Promise<string>): (() => void) => {
      others.add(scrape);
      return () => others.delete(scrape);
    },
    /** Returns the metrics as Prometheus text. Scrapes within 2 s get the same text. */
    scrape: (): Promise<string> => {
      if (shared === undefined || nowMs() >= shared.untilMs) {
        for (const sampler of samplers) sampler();
        const own = registry.metrics();
        const text =
          others.size === 0 ? own : Promise.all([own, ...[...others].map((scrape) => scrape())]).then(joinMetricTexts);
        shared = { text, untilMs: nowMs() + SHARED_MS };
      }
      return shared.text;
    },
  };
}

/**
 * Adds the metrics of the process and of Node (`process_*`, `nodejs_*`). Only one product of a process may add them.
 */
export function addRuntimeMetrics({ registry }: Pick<Metrics, 'registry'>): void {
  collectDefaultMetrics({ register: registry });
}

/** Requests, jobs, deliveries, messages, carrier requests. */
function createTrafficMetrics(registers: Registry[]) {
  return {
    requests: new Histogram({
      name: 'dialplane_http_request_duration_seconds',
      help: 'Time to answer API requests, by route and status',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: LATENCY_BUCKETS_S,
      registers,
    }),
    jobs: new Histogram({
      name: 'dialplane_job_duration_seconds',
      help: 'Time to run a batch of jobs or a lane, by kind and result',
      labelNames: ['kind', 'result'] as const,
      buckets: LATENCY_BUCKETS_S,
      registers,
    }),
    deliveries: new Histogram({
      name: 'dialplane_webhook_attempt_duration_seconds',
      help: 'Time of webhook attempts, by result',
      labelNames: ['result'] as const,
      buckets: LATENCY_BUCKETS_S,
      registers,
    }),
    carrierRequests: new Histogram({
      name: 'dialplane_carrier_request_duration_seconds',
      help: 'Time of requests to carriers, by carrier, capability, operation and result',
      labelNames: ['carrier', 'capability', 'operation', 'result'] as const,
      buckets: LATENCY_BUCKETS_S,
      registers,
    }),
    carrierNotices: new Counter({
      name: 'dialplane_carrier_notices_total',
      help: 'Notices of carriers, by kind of carrier and by what became of them',
      labelNames: ['kind', 'result'] as const,
      registers,
    }),
    bodiesRefused: new Counter({
      name: 'dialplane_http_bodies_refused_total',
      help: 'Bodies of requests that were refused because too many were held, or because they arrived too slowly',
      labelNames: ['reason'] as const,
      registers,
    }),
    ...createGuardMetrics(registers),
    batchSize: new Histogram({
      name: 'dialplane_batch_rows',
      help: 'Rows that shared one statement, by batch',
      labelNames: ['batch'] as const,
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
    messages: new Counter({
      name: 'dialplane_messages_total',
      help: 'Messages accepted or received, by direction',
      labelNames: ['direction'] as const,
      registers,
    }),
    requestLogDropped: new Counter({
      name: 'dialplane_request_log_dropped_total',
      help: 'Requests that are missing from the request log, by reason: full, failed or flood',
      labelNames: ['reason'] as const,
      registers,
    }),
    releasesRefused: new Counter({
      name: 'dialplane_number_releases_refused_total',
      help: 'Released numbers that the carrier has refused to release for a day',
      registers,
    }),
    realtimeSockets: new Gauge({
      name: 'dialplane_realtime_sockets',
      help: 'Open realtime sockets',
      registers,
    }),
  };
}

/**
 * The metrics of the guard that keeps a slow carrier from slowing others, by connection. Operators create the
 * connections, so there are few.
 */
function createGuardMetrics(registers: Registry[]) {
  return {
    carrierRequestsCut: new Counter({
      name: 'dialplane_carrier_requests_cut_total',
      help: 'Requests to carriers that ran out of time (timed_out) or were not made (circuit_open, busy)',
      labelNames: ['connection', 'capability', 'reason'] as const,
      registers,
    }),
    carrierAccountRefusals: new Counter({
      name: 'dialplane_carrier_account_refusals_total',
      help: 'Requests that the state of the account at the carrier does not allow',
      labelNames: ['connection', 'capability'] as const,
      registers,
    }),
    carrierInFlight: new Gauge({
      name: 'dialplane_carrier_requests_in_flight',
      help: 'Requests to carriers in progress, by connection and capability',
      labelNames: ['connection', 'capability'] as const,
      registers,
    }),
    carrierCircuit: new Gauge({
      name: 'dialplane_carrier_circuit',
      help: 'Circuit breaker of a connection, by capability: 0 closed, 1 half open, 2 open',
      labelNames: ['connection', 'capability'] as const,
      registers,
    }),
  };
}

/** Calls, and the calls whose audio is on this node. */
function createCallMetrics(registers: Registry[]) {
  return {
    callsStarted: new Counter({
      name: 'dialplane_calls_started_total',
      help: 'Calls that this process recorded as begun, by direction',
      labelNames: ['direction'] as const,
      registers,
    }),
    callsEnded: new Counter({
      name: 'dialplane_calls_ended_total',
      help: 'Calls that this process recorded as ended, by direction and outcome',
      labelNames: ['direction', 'outcome'] as const,
      registers,
    }),
    sipEngineHeard: new Gauge({
      name: 'dialplane_sip_engine_heard',
      help: 'SIP engines: 1 on the process that hears the events of the engine, 0 on one that has lost it',
      labelNames: ['connection', 'engine'] as const,
      registers,
    }),
    sipTrunkUp: new Gauge({
      name: 'dialplane_sip_trunk_up',
      help: 'SIP trunks: 1 while the trunk answers OPTIONS, else 0; on the process that hears the engine',
      labelNames: ['connection', 'engine', 'trunk'] as const,
      registers,
    }),
    callsWithAudio: new Gauge({
      name: 'dialplane_gateway_calls',
      help: 'Calls whose audio is on this gateway',
      registers,
    }),
    mediaSockets: new Gauge({
      name: 'dialplane_media_sockets',
      help: 'Open media sockets of this gateway: of clients of streams, of carriers, and forwarded to other gateways',
      labelNames: ['kind'] as const,
      registers,
    }),
    webClientSockets: new Gauge({
      name: 'dialplane_web_client_sockets',
      help: 'Open sockets of web clients: signalling, and audio',
      labelNames: ['kind'] as const,
      registers,
    }),
  };
}

/** Jobs and texts that wait, in the whole installation. */
function createQueueMetrics(registers: Registry[]) {
  return {
    queueDepth: new Gauge({
      name: 'dialplane_queue_depth',
      help: 'Jobs that are due and not claimed, by queue; counted up to 10,000',
      labelNames: ['queue'] as const,
      registers,
    }),
    queueAge: new Gauge({
      name: 'dialplane_queue_oldest_due_seconds',
      help: 'How long the oldest due job has been waiting, by queue',
      labelNames: ['queue'] as const,
      registers,
    }),
    pacedWaiting: new Gauge({
      name: 'dialplane_paced_messages_waiting',
      help: 'Texts that wait for the throughput of their campaign, by state: resting or due',
      labelNames: ['state'] as const,
      registers,
    }),
  };
}

/** The build and the database connections of this process. */
function createProcessMetrics(registers: Registry[]) {
  return {
    build: new Gauge({
      name: 'dialplane_build_info',
      help: 'Always 1; the labels name the version of Dialplane and of Node',
      labelNames: ['version', 'node_version'] as const,
      registers,
    }),
    cellOpen: new Gauge({
      name: 'dialplane_cell_open',
      help: 'Cells of the installation: 1 if this process has opened the cell, else 0',
      labelNames: ['cell'] as const,
      registers,
    }),
    dbConnections: new Gauge({
      name: 'dialplane_db_pool_connections',
      help: 'Connections of the database pool, by state: busy or idle',
      labelNames: ['state'] as const,
      registers,
    }),
    dbConnectionsMax: new Gauge({
      name: 'dialplane_db_pool_connections_max',
      help: 'Most connections of the database pool',
      registers,
    }),
    dbWaiting: new Gauge({
      name: 'dialplane_db_pool_waiting',
      help: 'Statements and transactions that wait for a connection of the pool',
      registers,
    }),
  };
}
