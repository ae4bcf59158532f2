import type { FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import { IncompatibleDatabaseError } from '../../db/migrate.ts';
import { isStandby, pendingMigrations } from '../../db/readiness.ts';
import type { QueueStats } from '../../queue/jobs/queue-stats.ts';
import type { RoutePlugin } from '../edge/types.ts';

export type ProbeOptions = {
  /** True from the start of a shutdown, so that balancers send this process no new requests. */
  isStopping: () => boolean;
  /** Reads the queues' figures (`Workers.stats`); null in a process without workers. */
  readQueueStats: (() => Promise<readonly QueueStats[]>) | null;
  /** Counts texts that wait for their campaign, by state; without it these figures are omitted. */
  readPaced?: () => Promise<readonly { readonly state: string; readonly messages: number }[]>;
};

/** A database that answers later than this is not ready. */
const READY_WITHIN_MS = 2_000;

const hidden = { hide: true } as const;

/** /healthz (the process runs), /readyz (it can serve) and /metrics (Prometheus text). */
export function createProbes({ isStopping, readQueueStats, readPaced }: ProbeOptions): RoutePlugin {
  return (app, context) => {
    app.get('/healthz', { schema: hidden }, (_request, reply) => noStore(reply).send({ status: 'ok' }));

    app.get('/readyz', { schema: hidden }, async (_request, reply) => {
      const problem = isStopping() ? 'shutting down' : await databaseProblem(context);
      if (problem === undefined) return noStore(reply).send({ status: 'ready' });
      return noStore(reply).code(503).send({ status: 'unavailable', problem });
    });

    app.get('/metrics', { schema: hidden }, async (_request, reply) => {
      if (readQueueStats !== null) await refreshQueues(context, readQueueStats);
      if (readPaced !== undefined) await refreshPaced(context, readPaced);
      const { registry } = context.metrics;
      return noStore(reply)
        .type(registry.contentType)
        .send(await registry.metrics());
    });
  };
}

function noStore(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store');
}

async function databaseProblem({ db, log }: Pick<Context, 'db' | 'log'>): Promise<string | undefined> {
  const { promise: alarm, resolve: ring } = Promise.withResolvers<string>();
  const timer = setTimeout(ring, READY_WITHIN_MS, `the database has not answered within ${READY_WITHIN_MS} ms`);
  const look = lookAtDatabase(db).catch((error: unknown) => {
    log.warn({ err: error }, 'not ready');
    return error instanceof IncompatibleDatabaseError ? error.message : 'the database cannot be reached';
  });
  try {
    return await Promise.race([look, alarm]);
  } finally {
    clearTimeout(timer);
  }
}

async function lookAtDatabase(db: Context['db']): Promise<string | undefined> {
  if (await isStandby(db)) return 'the database is a standby, which takes no writes';
  const pending = await pendingMigrations(db);
  return pending.length === 0 ? undefined : `migrations have not been applied: ${pending.join(', ')}`;
}

/** If the queues cannot be read, their gauges are omitted: old figures would mislead. */
async function refreshQueues(
  { metrics, log }: Pick<Context, 'metrics' | 'log'>,
  readQueueStats: () => Promise<readonly QueueStats[]>,
): Promise<void> {
  metrics.queueDepth.reset();
  metrics.queueAge.reset();
  try {
    for (const { queue, depth, oldestDueMs } of await readQueueStats()) {
      metrics.queueDepth.set({ queue }, depth);
      metrics.queueAge.set({ queue }, oldestDueMs / 1000);
    }
  } catch (error) {
    log.warn({ err: error }, 'queue figures are missing from the metrics');
  }
}

async function refreshPaced(
  { metrics, log }: Pick<Context, 'metrics' | 'log'>,
  readPaced: NonNullable<ProbeOptions['readPaced']>,
): Promise<void> {
  metrics.pacedWaiting.reset();
  try {
    for (const { state, messages } of await readPaced()) metrics.pacedWaiting.set({ state }, messages);
  } catch (error) {
    log.warn({ err: error }, 'figures of paced texts are missing from the metrics');
  }
}
