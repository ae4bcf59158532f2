import type { CampaignRegistration, CampaignReview, RegistryPort } from '../../../carriers/ports/registry.ts';
import type { Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import type { Registration } from '../registration/registration.ts';
import { endCampaignJob } from './end-campaigns.ts';
import { findCampaign } from './queries.ts';
import {
  type CampaignRegistrationRow,
  findCampaignRegistration,
  noteCampaignCarrierRef,
} from './registration-queries.ts';
import { reviewCampaign } from './review-campaign.ts';
import type { Campaign } from './schema.ts';

/** What other modules do once the registry has a campaign: its numbers can be registered to it from then on. */
export type OnCampaignRegistered = (tx: Tx, ledger: Ledger, campaignId: string) => Promise<void>;

/** How campaigns are registered. */
export function createCampaignRegistration(onRegistered: OnCampaignRegistered): Registration<CampaignReview> {
  return {
    kind: 'campaign.registration',
    load: async (db, ledger, id) => {
      const campaign = await findCampaign(db, ledger, id);
      const row = await findCampaignRegistration(db, ledger, id);
      if (campaign === undefined || row === undefined) return undefined;
      const reply = asSubmitted(campaign);
      if (!isOpen(campaign, row)) return { reply, open: null };
      const { brand_carrier_ref: brandCarrierRef } = row;
      return {
        reply,
        open: {
          create: async (registry) => {
            const brandRef = brandCarrierRef ?? (await askBrandRef(registry, ledger, campaign.brand_id));
            if (brandRef === undefined) return { outcome: 'unavailable' };
            return registry.createCampaign(ledger, toRegistration(campaign, brandRef));
          },
        },
      };
    },
    find: (registry, ledger, id) => registry.findCampaign(ledger, id),
    accept: async (tx, ledger, id, carrierRef) => {
      const noted = await noteCampaignCarrierRef(tx, ledger, id, carrierRef);
      if (noted === undefined) return;
      if (noted.has_ended) await enqueue(tx, [endCampaignJob(ledger, { id, carrierRef })]);
      else await onRegistered(tx, ledger, id);
    },
    refuse: async (tx, ledger, id, reason) => {
      await reviewCampaign(tx, ledger, id, { status: 'rejected', reason });
    },
    review: reviewCampaign,
  };
}

/**
 * The registry's name for a brand that is vetted and whose registration is still to be noted: somebody who creates the
 * campaign at the moment of brand.status_changed is quicker than the request that created the brand.
 */
async function askBrandRef(registry: RegistryPort, ledger: Ledger, brandId: string): Promise<string | undefined> {
  const found = await registry.findBrand(ledger, brandId);
  return found.found === 'accepted' ? found.carrierRef : undefined;
}

/**
 * One that ended before the registry saw it is not handed in any more. One that was reported approved before the answer
 * came still lacks the registry's name for it, without which no number can be assigned.
 */
function isOpen({ status }: Campaign, { carrier_ref, has_ended }: CampaignRegistrationRow): boolean {
  if (has_ended) return carrier_ref !== null;
  return status === 'pending_review' || (carrier_ref === null && (status === 'approved' || status === 'suspended'));
}

/** The campaign as the reply to its submission shows it. */
function asSubmitted(campaign: Campaign): Campaign {
  return { ...campaign, status: 'pending_review', rejection_reason: null, throughput: null };
}

function toRegistration(campaign: Campaign, brandCarrierRef: string): CampaignRegistration {
  return {
    ref: campaign.id,
    brandRef: campaign.brand_id,
    brandCarrierRef,
    useCase: campaign.use_case,
    description: campaign.description,
    sampleMessages: campaign.sample_messages,
    optInDescription: campaign.opt_in_description,
  };
}
