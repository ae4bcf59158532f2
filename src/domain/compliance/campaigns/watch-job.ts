import type { Ledger } from '../../../lib/scope.ts';
import type { NewJob } from '../../../queue/jobs/job.ts';
import { POLL_MS } from '../registration/registration.ts';

export const WATCH_JOB = 'campaign.watch';

/** `after`: the last campaign that the round has read, or null at its start. */
export type WatchPayload = { readonly ledger: Ledger; readonly after: string | null };

/**
 * Returns the job that polls the decided campaigns of a ledger. A ledger has one; enqueueing it again changes nothing.
 */
export function watchJob({ ledgerId, accountId, mode }: Ledger): NewJob {
  const payload: WatchPayload = { ledger: { ledgerId, accountId, mode }, after: null };
  return { ledgerId, queue: 'default', kind: WATCH_JOB, id: WATCH_JOB, payload, delayMs: POLL_MS };
}
