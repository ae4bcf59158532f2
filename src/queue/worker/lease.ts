import { randomBytes } from 'node:crypto';
import type { Lane } from '../jobs/job.ts';

/**
 * The claim passed to another worker, or the work was cancelled, before its effects were committed. Thrown inside the
 * transaction of those effects so that it rolls back.
 */
export class LeaseLostError extends Error {
  constructor(what: string) {
    super(`the claim on ${what} is lost`);
    this.name = 'LeaseLostError';
  }
}

/** How a lane is named in logs and errors. What follows a colon in its key may be somebody's phone number. */
export function laneName({ kind, laneKey }: Pick<Lane, 'kind' | 'laneKey'>): string {
  return `${kind} ${laneKey.split(':', 1)[0]}`;
}

/** The claim on a lane is another's. */
export function laneLost(lane: Lane): LeaseLostError {
  return new LeaseLostError(`lane ${laneName(lane)}`);
}

/** Makes lease tokens: each call gives another one, and no two processes share any. */
export function createTokens(): () => string {
  const prefix = randomBytes(9).toString('base64url');
  let count = 0;
  return () => `${prefix}.${++count}`;
}

/**
 * Milliseconds to wait after failed attempt number `attempt` (from 1): doubles from `retryMinMs`, at most `retryMaxMs`,
 * lengthened at random by up to a quarter so that what failed together does not come back together.
 */
export function backoffMs(
  attempt: number,
  { retryMinMs, retryMaxMs }: { retryMinMs: number; retryMaxMs: number },
): number {
  const doubled = retryMinMs * 2 ** Math.min(Math.max(attempt, 1) - 1, 30);
  return Math.round(Math.min(doubled, retryMaxMs) * (1 + Math.random() / 4));
}
