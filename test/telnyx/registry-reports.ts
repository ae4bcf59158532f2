/** Changes in the registry, and the events that report them to the addresses of the brand or the campaign. */
import type { Brand, Campaign, CampaignStatus, NumberCampaign } from './registry-state.ts';
import { nowText } from './state.ts';
import type { World } from './world.ts';

type CampaignEvent = {
  readonly type: 'REGISTRATION' | 'TELNYX_REVIEW' | 'MNO_REVIEW' | 'TCR_EVENT' | 'TELNYX_EVENT' | 'VERIFIED';
  readonly status?: 'ACCEPTED' | 'REJECTED' | 'DORMANT' | 'success' | 'failed';
  readonly description: string;
};

/** The event of each status of a campaign. The status of waiting for the carriers has none. */
const EVENTS: Readonly<Partial<Record<CampaignStatus, CampaignEvent>>> = {
  TCR_ACCEPTED: { type: 'REGISTRATION', status: 'success', description: 'The campaign is registered.' },
  TCR_FAILED: { type: 'REGISTRATION', status: 'failed', description: 'The registry has refused the campaign.' },
  TCR_SUSPENDED: { type: 'TCR_EVENT', description: 'The registry has suspended the campaign.' },
  TCR_EXPIRED: { type: 'TCR_EVENT', description: 'The campaign has expired.' },
  TELNYX_ACCEPTED: { type: 'TELNYX_REVIEW', status: 'ACCEPTED', description: 'Telnyx has accepted the campaign.' },
  TELNYX_FAILED: { type: 'TELNYX_REVIEW', status: 'REJECTED', description: 'Telnyx has rejected the campaign.' },
  MNO_ACCEPTED: { type: 'MNO_REVIEW', status: 'ACCEPTED', description: 'The carriers have accepted the campaign.' },
  MNO_REJECTED: { type: 'MNO_REVIEW', status: 'REJECTED', description: 'A carrier has rejected the campaign.' },
  MNO_PROVISIONED: { type: 'VERIFIED', status: 'success', description: 'The campaign may send.' },
  MNO_PROVISIONING_FAILED: { type: 'VERIFIED', status: 'failed', description: 'The campaign is not set up.' },
};

type BrandDecision = Partial<Pick<Brand, 'status' | 'identityStatus' | 'failureReasons'>>;
type BrandEvent = 'REGISTRATION' | 'REVET' | 'TCR_BRAND_UPDATE';

/** Changes a brand and reports it. A registered brand has an id of the registry. */
export function changeBrand(world: World, brand: Brand, decision: BrandDecision, type: BrandEvent): void {
  Object.assign(brand, decision, { updatedAt: nowText() });
  const { brandId, status, identityStatus, failureReasons } = brand;
  if (status === 'OK') brand.tcrBrandId ??= `B${brandId.slice(0, 6).toUpperCase()}`;
  const payload = {
    brandId,
    tcrBrandId: brand.tcrBrandId ?? undefined,
    brandIdentityStatus: identityStatus,
    type,
    status: status === 'OK' ? 'success' : 'failed',
    ...(failureReasons && { reasons: [{ description: failureReasons }] }),
  };
  world.webhooks.send({ type: '10dlc.brand.update', payload, about: brandId, urls: urlsOf(brand) });
}

type CampaignDecision = Partial<Pick<Campaign, 'campaignStatus' | 'failureReasons' | 'isTMobileSuspended'>>;

/** Changes a campaign and reports its new status. */
export function changeCampaign(world: World, campaign: Campaign, decision: CampaignDecision): void {
  Object.assign(campaign, decision);
  const { campaignId, campaignStatus } = campaign;
  if (campaignStatus === 'TCR_ACCEPTED') {
    campaign.tcrCampaignId ??= `C${campaignId.slice(0, 6).toUpperCase()}`;
    campaign.submissionStatus = 'CREATED';
  }
  if (campaignStatus === 'TCR_FAILED') campaign.submissionStatus = 'FAILED';
  if (campaignStatus === 'TCR_EXPIRED') campaign.status = 'EXPIRED';
  if (campaignStatus === 'MNO_PROVISIONED') campaign.isTMobileRegistered = true;
  const event = EVENTS[campaignStatus];
  if (event !== undefined && decision.campaignStatus !== undefined) reportCampaign(world, campaign, event);
}

/** Reports a campaign: in the envelope of other events, or as the flat body of the document of 2026. */
export function reportCampaign(world: World, campaign: Campaign, event: CampaignEvent): void {
  const { brandId, campaignId, createDate, cspId, isTMobileRegistered, failureReasons } = campaign;
  const payload = { brandId, campaignId, createDate, cspId, isTMobileRegistered, ...event };
  const description = failureReasons ?? event.description;
  world.webhooks.send({
    type: '10dlc.campaign.update',
    payload: { ...payload, description },
    about: campaignId,
    urls: urlsOf(campaign),
    isFlat: world.settings.flatCampaignReports,
  });
}

type NumberEvent = { readonly type: 'ASSIGNMENT' | 'DELETION' | 'STATUS_UPDATE'; readonly isDone: boolean };

/** Reports a number to the addresses of its campaign. */
export function reportNumber({ state, webhooks }: World, number: NumberCampaign, { type, isDone }: NumberEvent): void {
  const { phoneNumber, campaignId, brandId, assignmentStatus, failureReasons } = number;
  const status = isDone ? 'success' : 'failed';
  const reasons = failureReasons !== null && { reasons: [{ description: failureReasons }] };
  const payload = { phoneNumber, campaignId, brandId, assignmentStatus, type, status, ...reasons };
  const campaign = state.campaigns.get(campaignId);
  webhooks.send({ type: '10dlc.phone_number.update', payload, about: phoneNumber, urls: urlsOf(campaign ?? {}) });
}

function urlsOf({ webhookURL, webhookFailoverURL }: Pick<Campaign, 'webhookURL' | 'webhookFailoverURL'>) {
  return [webhookURL, webhookFailoverURL].flatMap((url) => url || []);
}
