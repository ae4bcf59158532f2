import type { FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import { IncompatibleDatabaseError } from '../../db/migrate.ts';
import { isStandby, pendingMigrations } from '../../db/readiness.ts';
import { isSameText } from '../../lib/crypto/same-text.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { after } from '../../lib/time/time.ts';
import type { RoutePlugin } from '../edge/types.ts';

export type ProbeOptions = {
  /** Why this process takes no traffic at the moment: it starts, or it stops. Undefined while it serves. */
  phaseProblem: () => string | undefined;
  /** The bearer token of /metrics; null if it is not served here. */
  metricsToken: string | null;
};

/** /readyz reports a database that answers later than this as not ready. */
const READY_WITHIN_MS = 2_000;

const hidden = { hide: true } as const;

/** /healthz (the process runs), /readyz (it can serve) and, with a token, /metrics (Prometheus text). */
export function createProbes({ phaseProblem, metricsToken }: ProbeOptions): RoutePlugin {
  return (app, context) => {
    app.get('/healthz', { schema: hidden }, (_request, reply) => noStore(reply).send({ status: 'ok' }));

    app.get('/readyz', { schema: hidden }, async (_request, reply) => {
      const problem = phaseProblem() ?? (await databaseProblem(context));
      if (problem === undefined) return noStore(reply).send({ status: 'ready' });
      return noStore(reply).code(503).send({ status: 'unavailable', problem });
    });

    if (metricsToken === null) return;
    app.get('/metrics', { schema: hidden }, async (request, reply) => {
      if (!isSameText(request.headers.authorization ?? '', `Bearer ${metricsToken}`)) {
        throw new ApiError('invalid_api_key', { message: 'The metrics need "Authorization: Bearer" and their token.' });
      }
      const { metrics } = context;
      return noStore(reply)
        .type(metrics.registry.contentType)
        .send(await metrics.scrape());
    });
  };
}

function noStore(reply: FastifyReply): FastifyReply {
  return reply.header('cache-control', 'no-store');
}

async function databaseProblem({ db, log }: Pick<Context, 'db' | 'log'>): Promise<string | undefined> {
  const { promise: alarm, resolve: ring } = Promise.withResolvers<string>();
  const timer = after(READY_WITHIN_MS, () => ring(`the database has not answered within ${READY_WITHIN_MS} ms`));
  const look = lookAtDatabase(db).catch((error: unknown) => {
    log.warn({ err: error }, 'not ready');
    return error instanceof IncompatibleDatabaseError ? error.message : 'the database cannot be reached';
  });
  try {
    return await Promise.race([look, alarm]);
  } finally {
    timer.cancel();
  }
}

async function lookAtDatabase(db: Context['db']): Promise<string | undefined> {
  if (await isStandby(db)) return 'the database is a standby, which takes no writes';
  const pending = await pendingMigrations(db);
  return pending.length === 0 ? undefined : `migrations have not been applied: ${pending.join(', ')}`;
}
