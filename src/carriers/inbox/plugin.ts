/**
 * The address that carriers report to: POST /carrier/{kind}/{connection_id}, and paths of the adapters below it. It is
 * outside /v1 and needs no API key. The adapter verifies the request. The report is stored before the reply, so a
 * carrier that gets a 2xx need not repeat it. A repeat changes nothing. Carriers fetch the sounds that they play with a
 * GET below the same address.
 */
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { WAV_CONTENT_TYPE } from '../../audio/wav.ts';
import { etagOf, isKnown } from '../../http/edge/etag.ts';
import type { Api, RoutePlugin } from '../../http/edge/types.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { monotonicMs } from '../../lib/time/time.ts';
import { Type } from '../../lib/type.ts';
import type { ConnectionDirectory } from '../connections/directory.ts';
import type { OpenConnection } from '../connections/opener.ts';
import { isFitNotice } from './queries.ts';
import type { Sharers } from './sharers.ts';
import { storeAtOwners } from './store-at-owners.ts';

const BODY_BYTES_MAX = 1024 * 1024;
const NOTICES_MAX = 100;
/** A new process has read its connections after this time. */
const STARTED_S = 1;

const schema = {
  hide: true,
  params: Type.Object({ kind: Type.String(), connection: Type.String(), '*': Type.Optional(Type.String()) }),
} as const;

type ConnectionPath = { readonly kind: string; readonly connection: string };

/** Returns the routes of carriers' reports. */
export function carrierIngress(
  connections: Pick<ConnectionDirectory, 'find' | 'isRead'>,
  sharers: Sharers,
): RoutePlugin {
  return (app, context) => {
    const { db, clock, metrics, log } = context;
    const tell = createRefusalLog(log);
    const find = ({ kind, connection: id }: ConnectionPath): OpenConnection => {
      // Carriers drop a report after a 404 and resend it after this answer.
      if (!connections.isRead()) throw new ApiError('carrier_unavailable', { retryAfterS: STARTED_S });
      const found = connections.find(id);
      if (found?.kind !== kind || found.connected.ingress === undefined) throw new ApiError('not_found');
      if (found.status === 'disabled') throw new ApiError('carrier_unavailable', { retryAfterS: 60 });
      return found;
    };

    const take = async (request: FastifyRequest, connection: OpenConnection, path: string): Promise<void> => {
      const { kind, id, connected } = connection;
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const notices = connected.ingress?.read({ path, headers: request.headers, body, now: new Date(clock.now()) });
      if (notices === undefined || typeof notices === 'string') {
        const reason = notices ?? 'malformed';
        metrics.carrierNotices.inc({ kind, result: reason });
        tell(connection, reason);
        throw refusalOf(reason);
      }
      if (!notices.every(isFitNotice) || notices.length > NOTICES_MAX) throw refusalOf('malformed');
      const owners = [{ db, connection }, ...(connection.accountId === null ? sharers.list(id) : [])] as const;
      const stored = notices.length === 0 ? 0 : await storeAtOwners(owners, notices);
      metrics.carrierNotices.inc({ kind, result: 'stored' }, stored);
      metrics.carrierNotices.inc({ kind, result: 'repeated' }, notices.length - stored);
    };

    // The scope is encapsulated: only these routes accept raw bodies of any type.
    app.register((scope, _options, done) => {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
      for (const path of ['/carrier/:kind/:connection', '/carrier/:kind/:connection/*']) {
        const options = {
          ...{ schema, bodyLimit: BODY_BYTES_MAX, config: { carrierReports: true as const } },
          // Runs before the body is read. So an unknown sender cannot make the process hold a body.
          onRequest: async ({ params }: FastifyRequest) => void find(params as ConnectionPath),
        } as const;
        (scope as Api).post(path, options, async (request, reply) => {
          const { params } = request;
          const below = params['*'];
          await take(request, find(params), below === undefined ? '' : `/${below}`);
          return reply.code(200).send({ object: 'carrier_notice' });
        });
      }
      done();
    });

    app.get('/carrier/:kind/:connection/*', { schema }, async (request, reply) => {
      const { params } = request;
      const connection = find(params);
      const path = `/${params['*'] ?? ''}`;
      const sound =
        (await connection.connected.ingress?.readSound?.(path)) ?? (await readElsewhere(sharers, connection, path));
      if (sound === undefined) throw new ApiError('not_found');
      const maxAgeS = connection.connected.ingress?.soundMaxAgeS;
      // With an ETag, an engine keeps its file if the sound has not changed. Without one it would replace the file,
      // perhaps while a call opens it.
      const etag = etagOf(sound);
      reply.headers({
        'cache-control': maxAgeS === undefined ? 'private, no-store' : `private, max-age=${maxAgeS}`,
        etag,
      });
      return isKnown(request, etag) ? reply.code(304).send() : reply.type(WAV_CONTENT_TYPE).send(sound);
    });
  };
}

/** Reads a sound from another database that has the connection. */
async function readElsewhere(sharers: Sharers, connection: OpenConnection, path: string) {
  if (connection.accountId !== null) return undefined;
  for (const sharer of sharers.list(connection.id)) {
    const sound = await sharer.connection.connected.ingress?.readSound?.(path);
    if (sound !== undefined) return sound;
  }
  return undefined;
}

type Refused = 'wrong_signature' | 'wrong_time' | 'malformed';

const LOG_LINES: Readonly<Record<Refused, string>> = {
  wrong_signature: 'reports to this connection have a wrong signature: is its public key that of the carrier?',
  wrong_time:
    'reports to this connection have a time stamp that is off by minutes: is the clock of this machine right?',
  malformed: 'requests to the address of this connection are no reports of its carrier',
};
/** The log has at most one line for each connection and reason in this time, because anyone can send such requests. */
const LOG_INTERVAL_MS = 60_000;

/** Returns a function that logs refused reports for the operator. Each line has their number since the line before. */
function createRefusalLog(log: Logger) {
  const refusals = new Map<string, { count: number; loggedAt: number }>();
  return ({ id, name }: OpenConnection, reason: Refused): void => {
    const key = `${id} ${reason}`;
    const { count, loggedAt } = refusals.get(key) ?? { count: 0, loggedAt: Number.NEGATIVE_INFINITY };
    const isDue = monotonicMs() - loggedAt >= LOG_INTERVAL_MS;
    refusals.set(key, isDue ? { count: 0, loggedAt: monotonicMs() } : { count: count + 1, loggedAt });
    if (isDue) log.warn({ connection: id, name, reason, count: count + 1 }, LOG_LINES[reason]);
  };
}

function refusalOf(reason: Refused): ApiError {
  if (reason === 'malformed')
    return new ApiError('invalid_body', { message: 'The body is not a notice of the carrier.' });
  const message =
    reason === 'wrong_time' ? 'The time stamp is off by more than 300 seconds.' : 'The signature is wrong.';
  return new ApiError('invalid_api_key', { message });
}
