/**
 * Hangs up the legs of a revoked web client. A job does it, so it also happens if the process with the web client's
 * socket is gone.
 */
import type { Context } from '../../../context.ts';
import { findLedger } from '../../../db/ledgers.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { JobHandler, NewJob } from '../../../queue/jobs/job.ts';
import type { WebClientName } from './web-client-signal.ts';

const RELEASE_WEB_CLIENT = 'release-web-client';
type ReleaseWebClient = { readonly webClientId: string };

/**
 * The times of the two releases: immediately, and again for calls that reached the web client during its revocation.
 */
const AFTER_MS = [0, 2_000];

/** Returns the jobs of one revocation. */
export function releaseJobs({ ledgerId, webClientId }: WebClientName): NewJob[] {
  const payload: ReleaseWebClient = { webClientId };
  return AFTER_MS.map((delayMs) => ({ ledgerId, queue: 'voice', kind: RELEASE_WEB_CLIENT, payload, delayMs }));
}

/** Returns the handler of those jobs. `release` may be called repeatedly, because ended legs do not change. */
export function webClientReleaseJob(
  { db }: Pick<Context, 'db'>,
  release: (ledger: Ledger, webClientId: string) => Promise<void>,
): JobHandler<ReleaseWebClient> {
  return {
    kind: RELEASE_WEB_CLIENT,
    queue: 'voice',
    run: async ([job]) => {
      const ledger = job && (await findLedger(db, job.ledgerId));
      if (job !== undefined && ledger !== undefined) await release(ledger, job.payload.webClientId);
    },
  };
}
