/**
 * Releases claims even while the database is unreachable: repeats the release until the database accepts it. So the
 * work is due as soon as the database is back, and not only at the end of its lease.
 */
import type { Logger } from 'pino';
import { isDatabaseAway } from '../../lib/errors/errors.ts';
import { monotonicMs, sleep } from '../../lib/time/time.ts';
import { LeaseLostError } from './lease.ts';

export type ClaimReleaser = {
  /**
   * Runs `attempt`, and repeats it while the database is unavailable, until the lease ends. Never throws: a claim that
   * is not released ends with its lease.
   * @param claims names the released claims in the log
   */
  release(claims: { readonly what: string; readonly leaseMs: number }, attempt: () => Promise<void>): Promise<void>;
  /** Ends the repetitions, now and later: each release is attempted once. */
  stop(): void;
};

const RETRY_MIN_MS = 50;
const RETRY_MAX_MS = 1_000;

export function createClaimReleaser(log: Logger): ClaimReleaser {
  const stopping = Promise.withResolvers<void>();
  let isStopping = false;
  const pauseUnlessStopping = async (ms: number): Promise<boolean> => {
    if (!isStopping) await Promise.race([sleep(ms, { ref: false }), stopping.promise]);
    return !isStopping;
  };
  return {
    release: async ({ what, leaseMs }, attempt) => {
      const endsAt = monotonicMs() + leaseMs;
      for (let waitMs = RETRY_MIN_MS; ; waitMs = Math.min(waitMs * 2, RETRY_MAX_MS)) {
        try {
          return await attempt();
        } catch (error) {
          if (error instanceof LeaseLostError) return;
          const mayRepeat = isDatabaseAway(error) && monotonicMs() + waitMs < endsAt;
          if (mayRepeat && (await pauseUnlessStopping(waitMs))) continue;
          return log.warn({ err: error, what }, 'claims not released: they end with their lease');
        }
      }
    },
    stop: () => {
      isStopping = true;
      stopping.resolve();
    },
  };
}
