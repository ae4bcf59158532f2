import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../lib/errors.ts';
import { RATE_LIMIT_POLICY, type RateLimiter, type RateVerdict } from '../limits/rate-limit.ts';
import type { Caller } from './authenticate.ts';

type GuardOptions = {
  authenticate: (request: FastifyRequest) => Promise<Caller>;
  /** Null when the limit is switched off: then no RateLimit headers are sent either. */
  limiter: RateLimiter | null;
  /** The ledger that a signed link opens; refuses one that is not good. */
  verifyLink: (link: { path: string; expires: string; signature: string }) => { ledgerId: number };
};

/** What stands before every route under /v1: key, rate, and whether a key of this kind may come in at all. */
export function createGuard({ authenticate, limiter, verifyLink }: GuardOptions) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { config } = request.routeOptions;
    if (config.public) return;
    const link = config.signedLink ? linkOf(request) : undefined;
    if (link !== undefined) {
      request.link = verifyLink(link);
      // Each link has a rate of its own, so that one that is passed around cannot take all.
      const rate = await limiter?.take(`link:${link.path}`);
      showRate(rate, reply);
      return refuseBeyond(rate);
    }
    const { scope, isSuspended } = await authenticate(request);
    request.scope = scope;
    const rate = await limiter?.take(scope.keyId);
    showRate(rate, reply);
    // Authentication comes first: at whatever rate, the account is told that it is suspended.
    if (isSuspended) throw new ApiError('account_suspended');
    refuseBeyond(rate);
    if (config.testOnly && scope.mode !== 'test') throw new ApiError('test_mode_only');
    if (config.access === 'account' && scope.tenantId !== null) throw new ApiError('key_not_permitted');
  };
}

/** The link by which a request comes. One that brings a key too is judged by its key. */
function linkOf({
  headers,
  query,
  url,
}: FastifyRequest): { path: string; expires: string; signature: string } | undefined {
  const { expires, signature } = query as Record<string, unknown>;
  if (headers.authorization !== undefined || signature === undefined) return undefined;
  return { path: url.split('?', 1)[0] as string, expires: String(expires), signature: String(signature) };
}

/** RateLimit fields as in draft-ietf-httpapi-ratelimit-headers-10. */
function showRate(verdict: RateVerdict | undefined, reply: FastifyReply): void {
  if (verdict === undefined) return;
  reply.header('ratelimit-policy', RATE_LIMIT_POLICY);
  reply.header('ratelimit', `"key";r=${verdict.remaining};t=${verdict.resetS}`);
}

function refuseBeyond(verdict: RateVerdict | undefined): void {
  if (verdict?.allowed === false) throw new ApiError('rate_limited', { retryAfterS: verdict.retryAfterS });
}
