import type { Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { emitEvents } from '../../events/index.ts';
import { updateNumberRow } from '../phone-numbers/queries.ts';
import { statusChanged } from '../phone-numbers/release-number.ts';
import { setCampaignPending } from '../phone-numbers/report-queries.ts';
import type { PhoneNumber } from '../phone-numbers/schema.ts';

/**
 * Stores that the carrier has confirmed a number for its campaign, with the event that the number is ready. Changes
 * nothing if it was confirmed before, or has another campaign by now.
 */
export async function confirmCampaign(
  tx: Tx,
  ledger: Ledger,
  { id, campaignId }: { readonly id: string; readonly campaignId: string },
): Promise<void> {
  const confirmed = await setCampaignPending(tx, ledger, { id, campaignId, isPending: false });
  if (confirmed === undefined) return;
  await emitEvents(tx, ledger.ledgerId, [statusChanged(confirmed, confirmed.status)]);
}

/**
 * Detaches a pending number from its campaign after the carrier has refused the number, and emits the event. Returns
 * false, and changes nothing, if the number was not pending.
 */
export async function refuseCampaign(tx: Tx, ledger: Ledger, number: PhoneNumber): Promise<boolean> {
  const { id, campaign_id: campaignId } = number;
  if (campaignId === null) return false;
  if ((await setCampaignPending(tx, ledger, { id, campaignId, isPending: false })) === undefined) return false;
  const left = await updateNumberRow(tx, ledger, { ...number, campaign_id: null });
  await emitEvents(tx, ledger.ledgerId, [statusChanged(left, left.status)]);
  return true;
}
