import type { NumberAssignment } from '../../../carriers/ports/registry.ts';
import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { findCampaignCarrierRef } from '../../compliance/index.ts';
import type { AssignmentRow } from './queries.ts';

/**
 * What the carrier has to be asked when a number is attached to a campaign; null while the registry does not have the
 * campaign (a draft): its numbers follow when it does. Nobody registers it until the transaction ends.
 */
export async function assignmentFor(
  tx: Tx,
  ledger: Ledger,
  { phoneNumber, campaignId }: { phoneNumber: string; campaignId: string },
): Promise<NumberAssignment | null> {
  const campaign = await findCampaignCarrierRef(tx, ledger, campaignId);
  const campaignCarrierRef = campaign?.carrier_ref ?? null;
  return campaignCarrierRef === null ? null : { phoneNumber, campaignRef: campaignId, campaignCarrierRef };
}

/** What the carrier ought to have for a number: an assignment, none, or (an order under way) nothing to say yet. */
export function wantedAssignment(row: AssignmentRow): NumberAssignment | 'none' | 'undecided' {
  if (row.status === 'pending') return 'undecided';
  if (row.status === 'released' || row.campaign_id === null || row.campaign_carrier_ref === null) return 'none';
  return {
    phoneNumber: row.phone_number,
    campaignRef: row.campaign_id,
    campaignCarrierRef: row.campaign_carrier_ref,
  };
}

const RETRY_AFTER_S = 5;

export function assignFailed(): ApiError {
  return new ApiError('carrier_assign_failed', { param: 'campaign_id', retryAfterS: RETRY_AFTER_S });
}
