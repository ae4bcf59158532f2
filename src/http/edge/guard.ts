import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../lib/errors.ts';
import { RATE_LIMIT_POLICY, type RateLimiter, type RateVerdict } from '../limits/rate-limit.ts';
import type { Caller } from './authenticate.ts';

type GuardOptions = {
  authenticate: (request: FastifyRequest) => Promise<Caller>;
  /** Null if the limit is off: no RateLimit headers are sent. */
  limiter: RateLimiter | null;
  /** Returns the ledger of a signed link. Errors: invalid_api_key. */
  verifyLink: (link: { path: string; expires: string; signature: string }) => { ledgerId: number };
  /** True if the account of the ledger is suspended. */
  isSuspended: (ledgerId: number) => Promise<boolean>;
};

/** Checks every request under /v1 before its route: the key, its rate, and whether the route accepts its kind. */
export function createGuard({ authenticate, limiter, verifyLink, isSuspended: isLedgerSuspended }: GuardOptions) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { config } = request.routeOptions;
    if (config.public) return;
    const link = config.signedLink ? linkOf(request) : undefined;
    if (link !== undefined) {
      request.link = verifyLink(link);
      // Each link has a rate of its own, so that a shared link does not use up the rate of others.
      const rate = await limiter?.take(`link:${link.path}`);
      setRateHeaders(rate, reply);
      refuseBeyond(rate);
      if (await isLedgerSuspended(request.link.ledgerId)) throw new ApiError('account_suspended');
      return;
    }
    const { scope, isSuspended } = await authenticate(request);
    request.scope = scope;
    const rate = await limiter?.take(scope.keyId);
    setRateHeaders(rate, reply);
    // Before the rate limit: a suspended account gets account_suspended at any rate.
    if (isSuspended) throw new ApiError('account_suspended');
    refuseBeyond(rate);
    if (config.testOnly && scope.mode !== 'test') throw new ApiError('test_mode_only');
    if (config.access === 'account' && scope.tenantId !== null) throw new ApiError('key_not_permitted');
  };
}

/** Returns the signed link of a request. A request that also has a key is judged by its key. */
function linkOf({
  headers,
  query,
  url,
}: FastifyRequest): { path: string; expires: string; signature: string } | undefined {
  const { expires, signature } = query as Record<string, unknown>;
  if (headers.authorization !== undefined || signature === undefined) return undefined;
  return { path: url.split('?', 1)[0] as string, expires: String(expires), signature: String(signature) };
}

/** Sets RateLimit fields as in draft-ietf-httpapi-ratelimit-headers-10. */
function setRateHeaders(verdict: RateVerdict | undefined, reply: FastifyReply): void {
  if (verdict === undefined) return;
  reply.header('ratelimit-policy', RATE_LIMIT_POLICY);
  reply.header('ratelimit', `"key";r=${verdict.remaining};t=${verdict.resetS}`);
}

function refuseBeyond(verdict: RateVerdict | undefined): void {
  if (verdict?.allowed === false) throw new ApiError('rate_limited', { retryAfterS: verdict.retryAfterS });
}
