/**
 * The calls of a seat that has been revoked: nobody comes back to them. They are ended by a job of the revocation, and
 * so also where the process that has the seat's socket is gone.
 */
import type { Context } from '../../../context.ts';
import { findLedger } from '../../../db/ledgers.ts';
import type { JobHandler, NewJob } from '../../../queue/jobs/job.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { SeatName } from './web-client-signal.ts';

const RELEASE_SEAT = 'release-seat';
type ReleaseSeat = { readonly webClientId: string };

/** At once, and again for a call that took the seat just as it was revoked. */
const AFTER_MS = [0, 2_000];

export function releasesOf({ ledgerId, webClientId }: SeatName): NewJob[] {
  const payload: ReleaseSeat = { webClientId };
  return AFTER_MS.map((delayMs) => ({ ledgerId, queue: 'voice', kind: RELEASE_SEAT, payload, delayMs }));
}

/** The handler of that job. `release` may be called again: legs that have ended are no more. */
export function seatReleaseJob(
  { db }: Pick<Context, 'db'>,
  release: (ledger: Ledger, webClientId: string) => Promise<void>,
): JobHandler<ReleaseSeat> {
  return {
    kind: RELEASE_SEAT,
    queue: 'voice',
    run: async ([job]) => {
      const ledger = job && (await findLedger(db, job.ledgerId));
      if (job !== undefined && ledger !== undefined) await release(ledger, job.payload.webClientId);
    },
  };
}
