import { Counter, Gauge, Histogram, Registry } from 'prom-client';

const LATENCY_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

export type Metrics = ReturnType<typeof createMetrics>;

/** Makes the metrics of one process, on a registry of their own. Labels have values from closed lists only. */
export function createMetrics() {
  const registry = new Registry();
  return { registry, ...createTrafficMetrics([registry]), ...createQueueMetrics([registry]) };
}

/** Requests, jobs, deliveries, messages and sockets. */
function createTrafficMetrics(registers: Registry[]) {
  return {
    requests: new Histogram({
      name: 'dialplane_http_request_seconds',
      help: 'Time to answer API requests, by route and status',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: LATENCY_BUCKETS_S,
      registers,
    }),
    jobs: new Histogram({
      name: 'dialplane_job_seconds',
      help: 'Time to run a batch of jobs, by kind and result',
      labelNames: ['kind', 'result'] as const,
      buckets: LATENCY_BUCKETS_S,
      registers,
    }),
    deliveries: new Histogram({
      name: 'dialplane_webhook_attempt_seconds',
      help: 'Time of webhook attempts, by result',
      labelNames: ['result'] as const,
      buckets: LATENCY_BUCKETS_S,
      registers,
    }),
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
    realtimeSockets: new Gauge({
      name: 'dialplane_realtime_sockets',
      help: 'Open realtime sockets',
      registers,
    }),
  };
}

/** Jobs and texts that wait. */
function createQueueMetrics(registers: Registry[]) {
  return {
    queueDepth: new Gauge({
      name: 'dialplane_queue_depth',
      help: 'Jobs waiting, by queue',
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
