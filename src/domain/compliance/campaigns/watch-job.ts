import type { Ledger } from '../../../lib/scope.ts';
import type { NewJob } from '../../../queue/jobs/job.ts';
import { POLL_MS } from '../registration/registration.ts';

export const WATCH_JOB = 'campaign.watch';

/** `after`: the campaign that the round has come to, or null where it begins. */
export type WatchPayload = { readonly ledger: Ledger; readonly after: string | null };

/** The one job that looks at the decided campaigns of a ledger. Planned again, it stays as it is. */
export function watchJob({ ledgerId, accountId, mode }: Ledger): NewJob {
  const payload: WatchPayload = { ledger: { ledgerId, accountId, mode }, after: null };
  return { ledgerId, queue: 'default', kind: WATCH_JOB, id: WATCH_JOB, payload, delayMs: POLL_MS };
}
