import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../lib/errors.ts';
import { networkOf } from '../../lib/network.ts';
import { addressOf } from '../limits/client-address.ts';
import { RATE_LIMIT_POLICY, type RateLimiter, type RateVerdict } from '../limits/rate-limit.ts';
import { requireAbility, serveBrowser } from './abilities.ts';
import type { Caller } from './authenticate.ts';

type GuardOptions = {
  /** Address of the installation; its own pages need not be named in a browser session. */
  publicUrl: string;
  authenticate: (request: FastifyRequest) => Promise<Caller>;
  /** Null if the limit is off: no RateLimit headers are sent. */
  limiter: RateLimiter | null;
  /** Limits requests with wrong keys and links by address; null if the limit is off. */
  failureLimiter: RateLimiter | null;
  /** Returns the ledger of a signed link. Errors: invalid_api_key. */
  verifyLink: (link: { path: string; expires: string; signature: string }) => { ledgerId: number };
  /** True if the account of the ledger is suspended. */
  isSuspended: (ledgerId: number) => Promise<boolean>;
};

/** Methods that a paused installation still answers. */
const READS = new Set(['GET', 'HEAD']);
const PAUSED_RETRY_S = 60;

/** Checks every request under /v1 before its route: the key, its rate, and whether the route accepts its kind. */
export function createGuard(options: GuardOptions) {
  const { publicUrl, authenticate, limiter, failureLimiter, verifyLink, isSuspended: isLedgerSuspended } = options;
  /**
   * Throws the error of a wrong key, or rate_limited if too many came from its address. A correct key is never counted
   * and never refused for the wrong keys of others, so that clients behind one address do not lock each other out.
   */
  const refuse = async (error: unknown, request: FastifyRequest): Promise<never> => {
    if (error instanceof ApiError && error.code === 'invalid_api_key') {
      const verdict = await failureLimiter?.take(networkOf(addressOf(request)));
      refuseBeyond(verdict, 'Too many requests with wrong keys from this address.');
    }
    throw error;
  };

  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { config } = request.routeOptions;
    if (config.public) return;
    // First, so that a page can read every refusal.
    if (serveBrowser(request, reply)) return;
    const link = config.signedLink ? linkOf(request) : undefined;
    if (link !== undefined) {
      try {
        request.link = verifyLink(link);
      } catch (error) {
        return refuse(error, request);
      }
      // Each link has a rate of its own, so that a shared link does not use up the rate of others.
      const rate = await limiter?.take(`link:${link.path}`);
      setRateHeaders(rate, reply);
      refuseBeyond(rate);
      if (await isLedgerSuspended(request.link.ledgerId)) throw new ApiError('account_suspended');
      return;
    }
    const { scope, isSuspended, isPaused } = await authenticate(request).catch((error) => refuse(error, request));
    request.scope = scope;
    const rate = await limiter?.take(scope.keyId);
    setRateHeaders(rate, reply);
    // Before the rate limit: a suspended account gets account_suspended at any rate.
    if (isSuspended) throw new ApiError('account_suspended');
    refuseBeyond(rate);
    if (isPaused && !READS.has(request.method)) throw new ApiError('service_paused', { retryAfterS: PAUSED_RETRY_S });
    if (config.testOnly && scope.mode !== 'test') throw new ApiError('test_mode_only');
    if (scope.browser !== undefined) requireAbility(request, reply, scope.browser, publicUrl);
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

function refuseBeyond(verdict: RateVerdict | undefined, message?: string): void {
  if (verdict?.allowed !== false) return;
  throw new ApiError('rate_limited', { retryAfterS: verdict.retryAfterS, ...(message !== undefined && { message }) });
}
