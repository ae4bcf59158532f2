/** 10DLC campaigns at Telnyx. */
import { textAt, valueAt } from '../../../lib/json-object.ts';
import { ownValue } from '../../../lib/own-value.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Found, Outcome, Registered } from '../../ports/outcome.ts';
import type { CampaignRegistration, CampaignReview, Throughput } from '../../ports/registry.ts';
import { type Answer, concludeRemoval, isMissing, reasonOf } from '../client/client.ts';
import type { TelnyxLine } from '../client/line.ts';
import { askBrand, isSoleProprietor } from './brands.ts';
import { findRegistered, register, searchRecords } from './registrations.ts';

const CAMPAIGN = 'campaign';
const SAMPLES_MAX = 5;

/** The registry has no use case for appointment reminders. They count as account notifications. */
const USE_CASES: Readonly<Record<string, string>> = {
  appointment_reminders: 'ACCOUNT_NOTIFICATION',
  customer_care: 'CUSTOMER_CARE',
  marketing: 'MARKETING',
  two_factor: '2FA',
  mixed: 'MIXED',
};
/** Use cases of a mixed campaign. The first three are sent, or as many as the registry requires or allows. */
const MIXED_OF = ['CUSTOMER_CARE', 'ACCOUNT_NOTIFICATION', 'MARKETING', 'DELIVERY_NOTIFICATION', 'SECURITY_ALERT'];
const MIXED_USUAL = 3;

/** Sole proprietors have a single use case. */
const PERSONAL = { usecase: 'SOLE_PROPRIETOR', subUsecases: [] };

const LINK = /https?:\/\/|\bwww\./i;
const PHONE_NUMBER = /(?:\+?1[\s.-]?)?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}/;

export function createCampaign(
  line: TelnyxLine,
  ledger: Ledger,
  campaign: CampaignRegistration,
): Promise<Outcome<Registered>> {
  const { ref, brandCarrierRef } = campaign;
  return register(line, ledger, {
    operation: CAMPAIGN,
    ref,
    foundUnder: brandCarrierRef,
    send: () => sendCampaign(line, campaign),
    idOf: (answer) => textAt(answer, 'campaignId'),
    reasonOf,
  });
}

async function sendCampaign(line: TelnyxLine, campaign: CampaignRegistration): Promise<Answer> {
  const brand = await askBrand(line, campaign.brandCarrierRef);
  if (brand.is !== 'answered') return asUnsent(brand);
  const use = isSoleProprietor(brand.body) ? PERSONAL : await askUse(line, campaign);
  if ('is' in use) return use;
  const body = { ...bodyOf(line, campaign), ...use };
  return await line.client.ask({ method: 'POST', path: '/10dlc/campaignBuilder', body });
}

/** Returns the outcome of a campaign if an earlier read failed. No campaign was sent, so the outcome is certain. */
function asUnsent(answer: Answer): Answer {
  return answer.is === 'unclear' ? { is: 'busy', errors: [] } : answer;
}

type Use = { readonly usecase: string; readonly subUsecases: readonly string[] };

/**
 * Returns the registry's use case for a campaign. Returns Telnyx's answer if it lacks the rules for a mixed campaign.
 */
async function askUse(line: TelnyxLine, { brandCarrierRef, useCase }: CampaignRegistration): Promise<Use | Answer> {
  const usecase = USE_CASES[useCase] ?? 'MIXED';
  if (usecase !== 'MIXED') return { usecase, subUsecases: [] };
  const path = '/10dlc/campaignBuilder/brand/{brandId}/usecase/{usecase}';
  const params = { brandId: brandCarrierRef, usecase };
  const needs = await line.client.ask({ method: 'GET', path, params });
  if (needs.is !== 'answered') return asUnsent(needs);
  const [least = 0, most = MIXED_USUAL] = ['minSubUsecases', 'maxSubUsecases'].map((name) => valueAt(needs.body, name));
  const count = Math.min(Math.max(MIXED_USUAL, Number(least)), Number(most));
  return { usecase, subUsecases: MIXED_OF.slice(0, count) };
}

function bodyOf({ reportUrl }: TelnyxLine, campaign: CampaignRegistration): object {
  const { ref, sampleMessages } = campaign;
  const samples = sampleMessages.slice(0, SAMPLES_MAX).map((text, index) => [`sample${index + 1}`, text] as const);
  const shown = sampleMessages.join(' ');
  return {
    brandId: campaign.brandCarrierRef,
    description: campaign.description,
    ...Object.fromEntries(samples),
    messageFlow: campaign.optInDescription,
    subscriberOptin: true,
    subscriberOptout: true,
    subscriberHelp: true,
    optinKeywords: 'START',
    optoutKeywords: 'STOP',
    helpKeywords: 'HELP',
    optinMessage: 'You will receive our texts. Reply HELP for help, STOP to opt out.',
    optoutMessage: 'You have opted out and will receive no more texts. Reply START to receive them again.',
    helpMessage: 'Reply STOP to opt out. For help, call the number that you know of us.',
    embeddedLink: LINK.test(shown),
    embeddedPhone: PHONE_NUMBER.test(shown),
    termsAndConditions: true,
    autoRenewal: true,
    referenceId: ref,
    webhookURL: `${reportUrl}/campaigns/${ref}`,
  };
}

/** Finds a campaign, with its review. */
export async function findCampaign(
  line: TelnyxLine,
  ledger: Ledger,
  ref: string,
): Promise<Found<Registered & { readonly review: CampaignReview }>> {
  const registered = await findRegistered(line, ledger, {
    operation: CAMPAIGN,
    ref,
    search: (brandId) => searchCampaign(line, brandId, ref),
  });
  if (registered.found !== 'accepted') return registered;
  const { carrierRef } = registered;
  const answer = await askCampaign(line, carrierRef);
  if (isMissing(answer)) return { found: 'absent' };
  const review = answer.is === 'answered' ? await readReview(line, carrierRef, answer.body) : undefined;
  return review === undefined ? { found: 'undecided' } : { found: 'accepted', carrierRef, review };
}

const askCampaign = ({ client }: TelnyxLine, campaignId: string) =>
  client.ask({ method: 'GET', path: '/10dlc/campaign/{campaignId}', params: { campaignId } });

/** Looks for a campaign among the campaigns of its brand. */
function searchCampaign(line: TelnyxLine, brandId: string, ref: string): Promise<Found<Registered>> {
  return searchRecords(line, {
    path: '/10dlc/campaign',
    filter: ['brandId', brandId],
    idField: 'campaignId',
    ask: (campaignId) => askCampaign(line, campaignId),
    isOurs: (campaign) => textAt(campaign, 'referenceId') === ref,
  });
}

const REJECTED = new Set(['TCR_FAILED', 'TELNYX_FAILED', 'MNO_REJECTED', 'MNO_PROVISIONING_FAILED']);
const SUSPENDED = new Set(['TCR_SUSPENDED', 'TCR_EXPIRED']);

/**
 * Reads the state of a campaign. Returns undefined if Telnyx does not say how much the campaign may send; the product
 * then asks again.
 */
async function readReview(
  line: TelnyxLine,
  campaignId: string,
  campaign: unknown,
): Promise<CampaignReview | undefined> {
  const status = textAt(campaign, 'campaignStatus') ?? '';
  const said = textAt(campaign, 'failureReasons');
  if (REJECTED.has(status) || textAt(campaign, 'submissionStatus') === 'FAILED') {
    return { status: 'rejected', reason: said ?? `The campaign is ${status} at the registry.` };
  }
  if (SUSPENDED.has(status) || valueAt(campaign, 'isTMobileSuspended') === true) {
    return { status: 'suspended', reason: said ?? 'The carriers have suspended the campaign.' };
  }
  if (status !== 'MNO_PROVISIONED') return { status: 'pending' };
  const params = { campaignId };
  const attributes = await line.client.ask({
    method: 'GET',
    path: '/10dlc/campaign/{campaignId}/osr/attributes',
    params,
  });
  if (attributes.is !== 'answered') return undefined;
  const throughput = readThroughput(attributes.body);
  const isPerson = textAt(campaign, 'usecase') === PERSONAL.usecase;
  return { status: 'approved', throughput: isPerson ? { ...throughput, dailyCap: PERSON_PER_DAY } : throughput };
}

/** The limit of texts a minute to AT&T, by the class of the campaign. */
const PER_MINUTE: Readonly<Record<string, number>> = {
  ...{ A: 4_500, B: 4_500, C: 2_400, D: 2_400, E: 240, F: 240, T: 75, W: 15 },
};
/** The limit of texts a day from a sole proprietor to T-Mobile, for any tier of the brand. */
const PERSON_PER_DAY = 1_000;
/** The limit of texts a day to T-Mobile, by the tier of the brand. */
const PER_DAY: Readonly<Record<string, number>> = { TOP: 200_000, UPPER_MID: 40_000, LOWER_MID: 10_000, LOW: 2_000 };

/**
 * Reads how many texts the carriers let a campaign send. The attributes have no fixed form: class and tier may be
 * inside an object with the carrier's name. If they are missing, the limits of a brand without vetting apply.
 */
function readThroughput(attributes: unknown): Throughput {
  const entries = [
    attributes,
    ...(typeof attributes === 'object' && attributes !== null ? Object.values(attributes) : []),
  ];
  const wordOf = (name: string) => entries.map((entry) => textAt(entry, name)).find((word) => word !== undefined);
  return {
    messagesPerMinute: ownValue(PER_MINUTE, wordOf('msg_class') ?? '') ?? (PER_MINUTE['T'] as number),
    dailyCap: ownValue(PER_DAY, wordOf('brand_tier') ?? '') ?? (PER_DAY['LOW'] as number),
  };
}

/** Ends a campaign. A campaign that Telnyx does not have counts as ended. */
export async function endCampaign({ client }: TelnyxLine, campaignId: string): Promise<Outcome<object>> {
  const answer = await client.ask({ method: 'DELETE', path: '/10dlc/campaign/{campaignId}', params: { campaignId } });
  return concludeRemoval(answer);
}
