/**
 * The 10DLC registry: brands, campaigns, and the numbers that send under them. Its answers have no `data` around them.
 */
import { randomUUID } from 'node:crypto';
import { checkQuery, orNotFound, Refusal, type Reply } from './replies.ts';
import type { Route } from './routes.ts';
import {
  type AssignmentStatus,
  type Brand,
  type Campaign,
  type CampaignStatus,
  findOwned,
  type NumberCampaign,
  nowText,
} from './state.ts';
import type { World } from './world.ts';

const flat = (body: unknown): Reply => ({ status: 200, body });
const PAGES = ['page', 'recordsPerPage', 'sort'];

/** Answers a list as the registry does. */
function records(found: readonly unknown[]): Reply {
  return flat({ records: found, page: 1, totalRecords: found.length });
}

/** Returns the operations of the registry. */
export function registryRoutes(world: World): readonly Route[] {
  return [...brandRoutes(world), ...campaignRoutes(world), ...assignmentRoutes(world)];
}

function brandRoutes(world: World): readonly Route[] {
  const { brands } = world.state;
  return [
    { name: 'POST /10dlc/brand', answer: ({ body }) => flat(addBrand(world, body as Partial<Brand>)) },
    {
      name: 'GET /10dlc/brand',
      answer: ({ query }) => {
        checkQuery(query, ['displayName', 'brandId', ...PAGES]);
        const name = query.get('displayName');
        const found = [...brands.values()].filter(({ displayName }) => name === null || displayName === name);
        // A list does not show where a brand's reports go.
        return records(found.map(({ webhookURL, ein, ...shown }) => shown));
      },
    },
    {
      name: 'GET /10dlc/brand/{brandId}',
      answer: ({ params }) => flat(orNotFound(brands.get(params['brandId'] ?? ''))),
    },
    {
      name: 'GET /10dlc/brand/feedback/{brandId}',
      answer: ({ params }) => {
        const { brandId } = orNotFound(brands.get(params['brandId'] ?? ''));
        const category = { id: 'TAX_ID', displayName: 'Tax id', fields: ['ein'] };
        return flat({ brandId, category: [{ ...category, description: 'The tax id is not that of the company.' }] });
      },
    },
  ];
}

function addBrand({ state, settings, later }: World, given: Partial<Brand>): Brand {
  const now = nowText();
  const brand: Brand = {
    ...(given as Brand),
    brandId: randomUUID(),
    tcrBrandId: null,
    brandRelationship: 'BASIC_ACCOUNT',
    status: 'REGISTRATION_PENDING',
    identityStatus: 'SELF_DECLARED',
    createdAt: now,
    updatedAt: now,
  };
  state.brands.set(brand.brandId, brand);
  later(settings.stepMs, () => {
    if (state.reviewsPend || brand.status !== 'REGISTRATION_PENDING') return;
    Object.assign(brand, { status: 'OK', identityStatus: 'VERIFIED', tcrBrandId: `B${brand.brandId.slice(0, 6)}` });
  });
  return brand;
}

function campaignRoutes(world: World): readonly Route[] {
  const { campaigns } = world.state;
  const find = (id = '') => orNotFound(campaigns.get(id));
  return [
    { name: 'POST /10dlc/campaignBuilder', answer: ({ body }) => flat(addCampaign(world, body as Partial<Campaign>)) },
    {
      name: 'GET /10dlc/campaign',
      answer: ({ query }) => {
        checkQuery(query, ['brandId', ...PAGES]);
        const found = [...campaigns.values()].filter(({ brandId }) => brandId === query.get('brandId'));
        return records(found.map(({ referenceId, ...shown }) => shown));
      },
    },
    { name: 'GET /10dlc/campaign/{campaignId}', answer: ({ params }) => flat(find(params['campaignId'])) },
    {
      name: 'GET /10dlc/campaign/{campaignId}/osr/attributes',
      answer: ({ params }) => {
        find(params['campaignId']);
        return flat({ '10017': { msg_class: 'E', tpm: 240 }, '10035': { brand_tier: 'UPPER_MID' } });
      },
    },
    {
      name: 'DELETE /10dlc/campaign/{campaignId}',
      answer: ({ params }) => {
        const campaign = find(params['campaignId']);
        campaign.campaignStatus = 'TCR_EXPIRED';
        return flat({ time: Date.now() / 1000 });
      },
    },
  ];
}

function addCampaign({ state, settings, later }: World, given: Partial<Campaign>): Campaign {
  const { brandId = '', referenceId } = given;
  const brand = state.brands.get(brandId);
  if (brand === undefined) throw new Refusal('10015', 'the brand does not exist', { pointer: '/brandId' });
  if (referenceId !== undefined && [...state.campaigns.values()].some((one) => one.referenceId === referenceId)) {
    throw new Refusal('10015', 'the reference is used already', { pointer: '/referenceId' });
  }
  if (given.usecase === 'MIXED' && (given.subUsecases?.length ?? 0) < 2) {
    throw new Refusal('10015', 'a mixed campaign has at least two use cases', { pointer: '/subUsecases' });
  }
  const campaign: Campaign = {
    ...(given as Campaign),
    subUsecases: given.subUsecases ?? [],
    termsAndConditions: given.termsAndConditions ?? false,
    campaignId: randomUUID(),
    cspId: 'TELNYX',
    mock: false,
    campaignStatus: 'TCR_PENDING',
    isTMobileSuspended: false,
    createDate: nowText(),
  };
  state.campaigns.set(campaign.campaignId, campaign);
  const steps: readonly CampaignStatus[] = ['TCR_ACCEPTED', 'MNO_PENDING', 'MNO_PROVISIONED'];
  for (const [index, status] of steps.entries()) {
    later(settings.stepMs * (index + 1), () => {
      const isOpen = !['TCR_EXPIRED', 'TCR_SUSPENDED', 'MNO_REJECTED'].includes(campaign.campaignStatus);
      if (!state.reviewsPend && isOpen) campaign.campaignStatus = status;
    });
  }
  return campaign;
}

function assignmentRoutes(world: World): readonly Route[] {
  const { state } = world;
  const name = (method: string) => `${method} /10dlc/phone_number_campaigns/{phoneNumber}`;
  const find = (phoneNumber = '') => orNotFound(state.numberCampaigns.get(phoneNumber));
  return [
    {
      name: 'POST /10dlc/phone_number_campaigns',
      answer: ({ body }) => {
        const { phoneNumber, campaignId } = body as NumberCampaign;
        if (state.numberCampaigns.has(phoneNumber)) throw new Refusal('10015', 'the number has a campaign already');
        return flat(assign(world, phoneNumber, campaignId));
      },
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
        return flat(found);
      },
    },
  ];
}

/** Assigns a number: at once, or a moment later if `assignmentsPend` is set and a control says how it ends. */
function assign({ state }: World, phoneNumber: string, campaignId: string): NumberCampaign {
  const owned = findOwned(state, phoneNumber);
  const source = { pointer: '/phoneNumber' };
  if (owned === undefined) throw new Refusal('10015', 'the account has no such number', source);
  if (owned.messaging_profile_id === null) throw new Refusal('10015', 'the number has no messaging profile', source);
  if (state.campaigns.get(campaignId)?.campaignStatus !== 'MNO_PROVISIONED') {
    throw new Refusal('10015', 'the campaign cannot have numbers', { pointer: '/campaignId' });
  }
  const status: AssignmentStatus = state.assignmentsPend ? 'PENDING_ASSIGNMENT' : 'ASSIGNED';
  const now = nowText();
  const made = {
    phoneNumber,
    campaignId,
    assignmentStatus: status,
    failureReasons: null,
    createdAt: now,
    updatedAt: now,
  };
  state.numberCampaigns.set(phoneNumber, made);
  return made;
}
