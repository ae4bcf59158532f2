/**
 * Bounds the bodies that the process holds. A body from a known sender may be larger than BODY_BYTES_MAX. Its resource
 * is looked up first. Then it waits for its account's share, and must arrive at a minimum rate. A body from an unknown
 * sender counts for its address and its carrier connection.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../lib/errors/errors.ts';
import { networkOf } from '../../lib/http/client-network.ts';
import type { Metrics } from '../../lib/metrics.ts';
import { BODY_BYTES_MAX } from '../edge/body-limits.ts';
import type { Api } from '../edge/types.ts';
import {
  BODY_ADMISSION,
  type BodyAdmission,
  type BodyAdmissionOptions,
  createBodyAdmission,
} from './body-admission.ts';
import { addressOf } from './client-address.ts';
import { createUnverifiedBodies, UNVERIFIED_LIMITS, type UnverifiedLimits } from './unverified-bodies.ts';
import { type BodyRate, type WatchedBody, watchBody } from './watched-body.ts';

type BodyLimits = { admission: BodyAdmissionOptions; unverified: UnverifiedLimits; rate: BodyRate };

const RATE: BodyRate = { bytesPerS: 16 * 1024, graceMs: 5_000 };

type Reading = RequestPayload & { request: FastifyRequest; reply: FastifyReply };
type RequestPayload = { payload: FastifyRequest['raw'] };

/** Sets the limits for all routes added later. */
export function boundBodies(app: Api, metrics: Pick<Metrics, 'bodiesRefused'>, limits: Partial<BodyLimits> = {}): void {
  const { admission, unverified, rate } = {
    ...{ admission: BODY_ADMISSION, unverified: UNVERIFIED_LIMITS, rate: RATE },
    ...limits,
  };
  const note = (reason: string) => metrics.bodiesRefused.inc({ reason });
  const large = createBodyAdmission(admission, note);
  const unknown = createUnverifiedBodies(unverified, (bound) => note(`unverified_${bound}`));

  const rateOf = (body: () => WatchedBody) => ({
    rate,
    onSlow: () => {
      note('slow');
      body().refuse(new ApiError('unreadable_body', { message: 'The body arrived too slowly.' }));
    },
  });

  const readLarge = async ({ request, reply, payload }: Reading, bytesMax: number) => {
    await request.routeOptions.config.findFirst?.(request);
    await holdShare(reply, () => large.enter(request.scope.accountId, bytesMax));
    const body: WatchedBody = watchBody(
      payload,
      rateOf(() => body),
    );
    reply.raw.once('close', body.leave);
    return body.stream;
  };

  const readUnverified = ({ request, reply, payload }: Reading, bytesMax: number) => {
    const source = { address: networkOf(addressOf(request)), connection: connectionOf(request) };
    const counted = unknown.open(source, () => body.refuse(busy(source)));
    const body: WatchedBody = watchBody(payload, {
      onBytes: counted.add,
      onComplete: counted.complete,
      ...(bytesMax > BODY_BYTES_MAX && rateOf(() => body)),
    });
    reply.raw.once('close', () => {
      body.leave();
      counted.close();
    });
    return body.stream;
  };

  app.addHook('preParsing', (request, reply, payload, done) => {
    const bytesMax = bodyBytesOf(request);
    const reading = { request, reply, payload: payload as FastifyRequest['raw'] };
    if (bytesMax === 0) return done(null, payload);
    // This reply is closed and emits no second `close`. The counted bytes of its body would never be freed.
    if (reply.raw.closed) return done(null, payload);
    if (!isVerified(request)) return done(null, readUnverified(reading, bytesMax));
    if (bytesMax <= BODY_BYTES_MAX) return done(null, payload);
    readLarge(reading, bytesMax).then((stream) => done(null, stream), done);
  });
}

/** Returns the most bytes that the body of a request may have; 0 without a body. */
function bodyBytesOf({ method, headers, routeOptions }: FastifyRequest): number {
  if (method === 'GET' || method === 'HEAD') return 0;
  const bytesMax = routeOptions.bodyLimit ?? BODY_BYTES_MAX;
  if (headers['transfer-encoding'] !== undefined) return bytesMax;
  return Math.min(Number(headers['content-length'] ?? 0), bytesMax);
}

/** True once a key or session of the request has been found. */
function isVerified({ scope, session }: FastifyRequest): boolean {
  return (scope ?? session ?? null) !== null;
}

function connectionOf({ routeOptions, params }: FastifyRequest): string | undefined {
  return routeOptions.config.carrierReports ? (params as { connection: string }).connection : undefined;
}

function busy({ connection }: { connection: string | undefined }): ApiError {
  const message = 'Too many bodies are being sent at the same time.';
  // Carriers resend a report after the reply carrier_unavailable.
  return new ApiError(connection === undefined ? 'rate_limited' : 'carrier_unavailable', { message, retryAfterS: 1 });
}

/** Waits for a share, and frees it when the exchange has ended. Error: rate_limited. */
async function holdShare(reply: FastifyReply, enter: () => ReturnType<BodyAdmission['enter']>): Promise<void> {
  let release: (() => void) | undefined;
  // The client may have left already, for example during the look-up of its key. In that case no `close` follows.
  let hasEnded = reply.raw.closed;
  reply.raw.once('close', () => {
    hasEnded = true;
    release?.();
  });
  release = await enter();
  if (hasEnded) release();
}
