/**
 * The calls of a web client that has been revoked: nobody comes back to them. They are ended by a job of the revocation, and
 * so also where the process that has the web client's socket is gone.
 */
import type { Context } from '../../../context.ts';
import { findLedger } from '../../../db/ledgers.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { JobHandler, NewJob } from '../../../queue/jobs/job.ts';
import type { WebClientName } from './web-client-signal.ts';

const RELEASE_WEB_CLIENT = 'release-web-client';
type ReleaseWebClient = { readonly webClientId: string };

/** At once, and again for a call that took the web client just as it was revoked. */
const AFTER_MS = [0, 2_000];

export function releasesOf({ ledgerId, webClientId }: WebClientName): NewJob[] {
  const payload: ReleaseWebClient = { webClientId };
  return AFTER_MS.map((delayMs) => ({ ledgerId, queue: 'voice', kind: RELEASE_WEB_CLIENT, payload, delayMs }));
}

/** The handler of that job. `release` may be called again: legs that have ended are no more. */
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
