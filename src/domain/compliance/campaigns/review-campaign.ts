import type { CampaignReview } from '../../../carriers/ports/registry.ts';
import type { Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import { emitEvent } from '../../events/index.ts';
import { isPolled } from '../registration/registration.ts';
import { resumeCampaignMonths } from './campaign-months.ts';
import { moveCampaign } from './queries.ts';
import { inputOf, readRegistryRef } from './rules.ts';
import type { Campaign } from './schema.ts';
import { statusChanged } from './status-changed.ts';
import { watchJob } from './watch-job.ts';

/**
 * Applies a decision of the carriers on a submission (`registryRef`) to its campaign: sets status, reason and
 * throughput, and emits campaign.status_changed. Returns the changed campaign, or undefined if the decision changes
 * nothing (none yet, late, repeated, on an earlier submission, unknown or ended campaign).
 */
export async function reviewCampaign(
  tx: Tx,
  ledger: Ledger,
  ref: string,
  review: CampaignReview,
): Promise<Campaign | undefined> {
  const input = inputOf(review.status);
  if (input === null) return undefined;
  const reason = 'reason' in review ? review.reason : null;
  const granted = 'throughput' in review ? { throughput: review.throughput } : {};
  const { id, attempt } = readRegistryRef(ref);
  const moved = await moveCampaign(tx, ledger, { id, attempt, input, reason, ...granted });
  if (moved === undefined) return undefined;
  if (moved.previousStatus === 'suspended') await resumeCampaignMonths(tx, ledger, id);
  if (moved.campaign.status === 'approved' && isPolled(ledger)) await enqueue(tx, [watchJob(ledger)]);
  await emitEvent(tx, ledger.ledgerId, statusChanged(moved));
  return moved.campaign;
}
