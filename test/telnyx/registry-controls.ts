import { endAssignment } from './registry-assignments.ts';
import { changeBrand, changeCampaign, reportCampaign } from './registry-reports.ts';
import type { Brand, Campaign, NumberCampaign } from './registry-state.ts';
import type { World } from './world.ts';

/** Controls for tests that act for the registry, Telnyx's reviewers and carriers. */
export type RegistryControls = {
  /** True: only controls decide about brands and campaigns, and end assignments of numbers. */
  pendRegistry(asked: { readonly pend: boolean }): Promise<null>;
  /** True: codes do not reach the phones of sole proprietors from now on. */
  failCodes(asked: { readonly fail: boolean }): Promise<null>;
  /** The code that was texted for a brand expires. */
  expireCode(asked: Pick<Brand, 'brandId'>): Promise<null>;
  /** Decides about a brand. */
  decideBrand(asked: Pick<Brand, 'brandId' | 'status' | 'identityStatus' | 'failureReasons'>): Promise<null>;
  /** Decides about a campaign; only the named fields change. */
  decideCampaign(
    asked: Pick<Campaign, 'campaignId'> &
      Partial<Pick<Campaign, 'campaignStatus' | 'failureReasons' | 'isTMobileSuspended'>>,
  ): Promise<null>;
  /** Reports that a campaign has sent nothing for a long time. A request for the campaign does not show it. */
  reportDormant(asked: Pick<Campaign, 'campaignId'>): Promise<null>;
  /** Ends the assignment of a number to its campaign. */
  endAssignment(
    asked: Pick<NumberCampaign, 'phoneNumber' | 'assignmentStatus'> & Partial<Pick<NumberCampaign, 'failureReasons'>>,
  ): Promise<null>;
};

/** Returns the controls of the registry. */
export function registryControls(world: World): RegistryControls {
  const { state } = world;
  return {
    pendRegistry: async ({ pend }) => {
      state.reviewsPend = pend;
      state.assignmentsPend = pend;
      return null;
    },
    failCodes: async ({ fail }) => {
      state.codesFail = fail;
      return null;
    },
    expireCode: async ({ brandId }) => {
      known(state.otps.get(brandId)).deliveryStatus = 'EXPIRED';
      return null;
    },
    decideBrand: async ({ brandId, ...decision }) => {
      const brand = known(state.brands.get(brandId));
      const isNew = brand.status === 'REGISTRATION_PENDING';
      changeBrand(world, brand, decision, isNew ? 'REGISTRATION' : 'REVET');
      return null;
    },
    decideCampaign: async ({ campaignId, ...decision }) => {
      changeCampaign(world, known(state.campaigns.get(campaignId)), decision);
      return null;
    },
    reportDormant: async ({ campaignId }) => {
      const description = 'The campaign has had no traffic for 60 days.';
      const dormant = { type: 'TELNYX_EVENT', status: 'DORMANT', description } as const;
      reportCampaign(world, known(state.campaigns.get(campaignId)), dormant);
      return null;
    },
    endAssignment: async ({ phoneNumber, ...end }) => {
      endAssignment(world, known(state.numberCampaigns.get(phoneNumber)), end);
      return null;
    },
  };
}

function known<Thing>(thing: Thing | undefined): Thing {
  if (thing === undefined) throw new Error('the registry does not have it');
  return thing;
}
