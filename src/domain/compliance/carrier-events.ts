import type { CarrierEvent } from '../../carriers/ports/carrier.ts';
import type { Tx } from '../../db/database.ts';
import type { Ledger } from '../../lib/scope.ts';
import { reviewBrand } from './brands/review-brand.ts';
import { reviewCampaign } from './campaigns/review-campaign.ts';

/** Applies the decisions of the registry, in the order given. */
export async function applyComplianceEvents(tx: Tx, ledger: Ledger, events: readonly CarrierEvent[]): Promise<void> {
  for (const event of events) {
    if (event.type === 'brand.review') await reviewBrand(tx, ledger, event.ref, event.review);
    else if (event.type === 'campaign.review') await reviewCampaign(tx, ledger, event.ref, event.review);
  }
}
