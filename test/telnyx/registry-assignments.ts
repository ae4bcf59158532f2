/** The numbers that send under campaigns. */
import { filtered, flat, RegistryRefusal, records } from './registry-replies.ts';
import { reportNumber } from './registry-reports.ts';
import type { AssignmentStatus, NumberCampaign } from './registry-state.ts';
import { orNotFound } from './replies.ts';
import type { Route } from './routes.ts';
import { findOwned, nowText } from './state.ts';
import type { World } from './world.ts';

type End = { readonly assignmentStatus: AssignmentStatus; readonly failureReasons?: string | null };

const FILTERS = {
  'filter[telnyx_campaign_id]': 'telnyxCampaignId',
  'filter[telnyx_brand_id]': 'brandId',
  'filter[tcr_campaign_id]': 'tcrCampaignId',
  'filter[tcr_brand_id]': 'tcrBrandId',
} as const;

/** Returns the operations on the numbers of campaigns. */
export function assignmentRoutes(world: World): readonly Route[] {
  const { state } = world;
  const name = (method: string) => `${method} /10dlc/phone_number_campaigns/{phoneNumber}`;
  const find = (phoneNumber = '') => orNotFound(state.numberCampaigns.get(phoneNumber));
  return [
    {
      name: 'POST /10dlc/phone_number_campaigns',
      answer: ({ body }) => {
        const { phoneNumber, campaignId } = body as NumberCampaign;
        const known = state.numberCampaigns.get(phoneNumber);
        if (known !== undefined && known.assignmentStatus !== 'FAILED_ASSIGNMENT') {
          throw new RegistryRefusal(['body', 'phoneNumber'], 'the number has a campaign already');
        }
        return flat(assign(world, phoneNumber, campaignId));
      },
    },
    {
      name: 'GET /10dlc/phone_number_campaigns',
      answer: ({ query }) => records(filtered(state.numberCampaigns.values(), query, FILTERS), query),
    },
    { name: name('GET'), answer: ({ params }) => flat(find(params['phoneNumber'])) },
    {
      name: name('PUT'),
      answer: ({ params, body }) =>
        flat(assign(world, find(params['phoneNumber']).phoneNumber, (body as NumberCampaign).campaignId)),
    },
    {
      name: name('DELETE'),
      answer: ({ params }) => {
        const found = find(params['phoneNumber']);
        state.numberCampaigns.delete(found.phoneNumber);
        reportNumber(world, found, { type: 'DELETION', isDone: true });
        return flat(found);
      },
    },
  ];
}

/** Assigns a number a step later. If `assignmentsPend` is set, a control decides when and how the assignment ends. */
function assign(world: World, phoneNumber: string, campaignId: string): NumberCampaign {
  const { state, settings, later } = world;
  const owned = findOwned(state, phoneNumber);
  const refuse = (field: string, message: string): never => {
    throw new RegistryRefusal(['body', field], message);
  };
  if (owned === undefined) refuse('phoneNumber', 'the account has no such number');
  if (owned?.phone_number_type === 'toll_free') refuse('phoneNumber', 'a toll-free number has no campaign');
  if (owned?.messaging_profile_id === null) refuse('phoneNumber', 'the number has no messaging profile');
  const campaign = state.campaigns.get(campaignId) ?? refuse('campaignId', 'the campaign does not exist');
  if (campaign.campaignStatus !== 'MNO_PROVISIONED') refuse('campaignId', 'the campaign cannot have numbers');
  const { brandId, tcrBrandId, tcrCampaignId } = campaign;
  const now = nowText();
  const made: NumberCampaign = {
    phoneNumber,
    campaignId,
    telnyxCampaignId: campaignId,
    tcrCampaignId,
    brandId,
    tcrBrandId,
    assignmentStatus: 'PENDING_ASSIGNMENT',
    failureReasons: null,
    createdAt: now,
    updatedAt: now,
  };
  state.numberCampaigns.set(phoneNumber, made);
  later(settings.stepMs, () => {
    const isNext = state.numberCampaigns.get(phoneNumber) === made && made.assignmentStatus === 'PENDING_ASSIGNMENT';
    if (isNext && !state.assignmentsPend) endAssignment(world, made, { assignmentStatus: 'ASSIGNED' });
  });
  return made;
}

/** Ends the assignment of a number to a campaign, or its removal, with a status, and reports it. */
export function endAssignment(world: World, number: NumberCampaign, end: End): void {
  Object.assign(number, end, { updatedAt: nowText() });
  const type = end.assignmentStatus.endsWith('UNASSIGNMENT') ? 'DELETION' : 'ASSIGNMENT';
  if (end.assignmentStatus.startsWith('PENDING')) return;
  reportNumber(world, number, { type, isDone: end.assignmentStatus === 'ASSIGNED' });
}
