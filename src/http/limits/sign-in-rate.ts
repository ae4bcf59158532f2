import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../lib/errors/errors.ts';
import { networkOf } from '../../lib/http/client-network.ts';
import { addressOf } from './client-address.ts';
import type { MakeLimiter, Rate } from './rate-limit.ts';

/** Attempts to sign in from one address: on average one each 2 seconds, and at most 20 at a time. */
const RATE: Rate = { periodMs: 2_000, burst: 20 };

/**
 * Returns a function that counts an attempt to sign in, for the address of its request. Errors of the function:
 * rate_limited.
 */
export function limitSignIns(makeLimiter: MakeLimiter, purpose: string): (request: FastifyRequest) => Promise<void> {
  const attempts = makeLimiter(purpose, RATE);
  return async (request) => {
    const { allowed, retryAfterS } = await attempts.take(networkOf(addressOf(request)));
    if (!allowed) throw new ApiError('rate_limited', { retryAfterS, message: 'Too many attempts to sign in.' });
  };
}
