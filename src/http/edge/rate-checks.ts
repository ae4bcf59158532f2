import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, type ErrorCode } from '../../lib/errors/errors.ts';
import { networkOf } from '../../lib/http/client-network.ts';
import { addressOf } from '../limits/client-address.ts';
import { policyOf, RATE_OF_KEY, type Rate, type RateLimiter, type RateVerdict } from '../limits/rate-limit.ts';

export type Limiters = {
  /** Limits requests by their credential. With null there is no limit and replies have no RateLimit headers. */
  readonly limiter: RateLimiter | null;
  /** Limits requests with wrong credentials by address. With null there is no limit. */
  readonly failureLimiter: RateLimiter | null;
};

const WRONG: ReadonlySet<ErrorCode> = new Set(['invalid_api_key', 'not_signed_in']);

/** Counts a request for its credential, and sets RateLimit headers. */
export async function takeRate(
  { limiter }: Limiters,
  { name, rate = RATE_OF_KEY }: { name: string; rate?: Rate },
  reply: FastifyReply,
): Promise<RateVerdict | undefined> {
  const verdict = await limiter?.take(name, rate);
  if (verdict !== undefined) setRateHeaders(verdict, rate, reply);
  return verdict;
}

/**
 * Throws the error of a wrong credential, or rate_limited if too many came from its address. A correct credential is
 * never counted or refused here. So clients with a common address do not lock each other out.
 */
export async function refuseWrong(
  { failureLimiter }: Limiters,
  error: unknown,
  request: FastifyRequest,
): Promise<never> {
  if (error instanceof ApiError && WRONG.has(error.code)) {
    const verdict = await failureLimiter?.take(networkOf(addressOf(request)));
    refuseBeyond(verdict, 'Too many requests with wrong keys from this address.');
  }
  throw error;
}

/** Sets RateLimit fields as in draft-ietf-httpapi-ratelimit-headers-10. */
function setRateHeaders({ remaining, resetS }: RateVerdict, rate: Rate, reply: FastifyReply): void {
  reply.header('ratelimit-policy', policyOf(rate));
  reply.header('ratelimit', `"key";r=${remaining};t=${resetS}`);
}

export function refuseBeyond(verdict: RateVerdict | undefined, message?: string): void {
  if (verdict?.allowed !== false) return;
  throw new ApiError('rate_limited', { retryAfterS: verdict.retryAfterS, ...(message !== undefined && { message }) });
}

/** Methods that a paused installation still answers. */
const READS = new Set(['GET', 'HEAD']);
const PAUSED_RETRY_S = 60;

/** Refuses a change while the installation is paused. Errors: service_paused. */
export function refusePaused(isPaused: boolean, { method }: FastifyRequest): void {
  if (isPaused && !READS.has(method)) throw new ApiError('service_paused', { retryAfterS: PAUSED_RETRY_S });
}
