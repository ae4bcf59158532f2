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
  storeCampaignCarrierRef,
} from './registration-queries.ts';
import { reviewCampaign } from './review-campaign.ts';
import { readRegistryRef } from './rules.ts';
import type { Campaign } from './schema.ts';

/** Called when the registry has a campaign: from then on its numbers can be registered to it. */
export type OnCampaignRegistered = (tx: Tx, ledger: Ledger, campaignId: string) => Promise<void>;

/** Returns how campaigns are registered. */
export function createCampaignRegistration(onRegistered: OnCampaignRegistered): Registration<CampaignReview> {
  return {
    kind: 'campaign.registration',
    load: async (db, ledger, ref) => {
      const { id, attempt } = readRegistryRef(ref);
      const campaign = await findCampaign(db, ledger, id);
      const row = await findCampaignRegistration(db, ledger, id);
      if (campaign === undefined || row === undefined) return undefined;
      const reply = asSubmitted(campaign);
      if (row.attempt !== attempt || !isOpen(campaign, row)) return { reply, open: null };
      const { brand_carrier_ref: brandCarrierRef, connection_id: connectionId } = row;
      return {
        reply,
        open: {
          connectionId,
          create: async (registry) => {
            const brandRef = brandCarrierRef ?? (await findBrandRef(registry, ledger, campaign.brand_id));
            if (brandRef === undefined) return { outcome: 'unavailable' };
            return registry.createCampaign(ledger, toRegistration(campaign, ref, brandRef));
          },
        },
      };
    },
    find: (registry, ledger, ref) => registry.findCampaign(ledger, ref),
    accept: async (tx, ledger, ref, carrierRef) => {
      const submission = readRegistryRef(ref);
      const stored = await storeCampaignCarrierRef(tx, ledger, submission, carrierRef);
      if (stored === undefined) return;
      const { connection_id: connectionId } = stored;
      if (stored.has_ended)
        await enqueue(tx, [endCampaignJob(ledger, { id: submission.id, ref, carrierRef, connectionId })]);
      else await onRegistered(tx, ledger, submission.id);
    },
    refuse: async (tx, ledger, ref, reason) => {
      await reviewCampaign(tx, ledger, ref, { status: 'rejected', reason });
    },
    review: reviewCampaign,
  };
}

/**
 * Asks for the registry's reference of a vetted brand whose reference is not stored yet. This happens if the campaign
 * is created right after brand.status_changed, before the request that created the brand has stored the reference.
 */
async function findBrandRef(registry: RegistryPort, ledger: Ledger, brandId: string): Promise<string | undefined> {
  const found = await registry.findBrand(ledger, brandId);
  return found.found === 'accepted' ? found.carrierRef : undefined;
}

/**
 * Returns true if the registration is not finished. A campaign that ended before the registry had it is not submitted
 * any more. A campaign that was reported approved before the answer arrived still lacks the registry's reference, which
 * is needed to assign numbers.
 */
function isOpen({ status }: Campaign, { carrier_ref, has_ended }: CampaignRegistrationRow): boolean {
  if (has_ended) return carrier_ref !== null;
  return status === 'pending_review' || (carrier_ref === null && (status === 'approved' || status === 'suspended'));
}

/** Returns the campaign as it was submitted, for the reply to its submission. */
function asSubmitted(campaign: Campaign): Campaign {
  return { ...campaign, status: 'pending_review', rejection_reason: null, throughput: null };
}

function toRegistration(campaign: Campaign, ref: string, brandCarrierRef: string): CampaignRegistration {
  return {
    ref,
    brandRef: campaign.brand_id,
    brandCarrierRef,
    useCase: campaign.use_case,
    description: campaign.description,
    sampleMessages: campaign.sample_messages,
    optInDescription: campaign.opt_in_description,
  };
}
