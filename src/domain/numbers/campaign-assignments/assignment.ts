import type { NumberAssignment } from '../../../carriers/ports/registry.ts';
import type { Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { findCampaignCarrierRef } from '../../compliance/index.ts';
import type { AssignmentRow } from './queries.ts';

/**
 * Returns the assignment to request from the carrier for a number that is attached to a campaign. Null while the
 * registry does not have the campaign (a draft): its numbers are registered together with the campaign. The campaign
 * cannot be registered until the transaction ends.
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

/**
 * Returns the assignment that the carrier should have for a number: a campaign, none, or `undecided` while it is on
 * order.
 */
export function wantedAssignment(row: AssignmentRow): NumberAssignment | 'none' | 'undecided' {
  if (row.status === 'pending') return 'undecided';
  if (row.status === 'released' || row.campaign_id === null || row.campaign_carrier_ref === null) return 'none';
  return {
    phoneNumber: row.phone_number,
    campaignRef: row.campaign_id,
    campaignCarrierRef: row.campaign_carrier_ref,
  };
}
