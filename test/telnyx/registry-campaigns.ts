/** The campaigns of the 10DLC registry. */

import { randomUUID } from 'node:crypto';
import { time } from '../support/emulator-time.ts';
import { checkBalance } from './account.ts';
import { checkParameters, filtered, flat, RegistryRefusal, records } from './registry-replies.ts';
import { changeCampaign } from './registry-reports.ts';
import type { Brand, Campaign, CampaignStatus } from './registry-state.ts';
import { orNotFound } from './replies.ts';
import type { Route } from './routes.ts';
import { nowText } from './state.ts';
import type { World } from './world.ts';

type Usecase = { readonly monthlyFee: number; readonly samples: number; readonly sub?: readonly [number, number] };

const USECASES: ReadonlyMap<string, Usecase> = new Map([
  ...['2FA', 'ACCOUNT_NOTIFICATION', 'CUSTOMER_CARE', 'DELIVERY_NOTIFICATION', 'FRAUD_ALERT'].map(plain),
  ...['HIGHER_EDUCATION', 'POLLING_VOTING', 'PUBLIC_SERVICE_ANNOUNCEMENT', 'SECURITY_ALERT'].map(plain),
  ['MARKETING', { monthlyFee: 10, samples: 2 }],
  ['MIXED', { monthlyFee: 10, samples: 2 }],
  ['LOW_VOLUME', { monthlyFee: 1.5, samples: 1, sub: [0, 5] }],
  ['SOLE_PROPRIETOR', { monthlyFee: 2, samples: 2 }],
]);
const MNOS: ReadonlyMap<string, string> = new Map([
  ['10017', 'AT&T'],
  ['10035', 'T-Mobile'],
  ['10038', 'Verizon Wireless'],
]);
/** The statuses of a campaign that everyone accepts, in order. */
const STEPS: readonly CampaignStatus[] = [
  'TCR_PENDING',
  'TCR_ACCEPTED',
  'TELNYX_ACCEPTED',
  'MNO_PENDING',
  'MNO_ACCEPTED',
  'MNO_PROVISIONED',
];
const CLOSED: readonly CampaignStatus[] = ['TCR_FAILED', 'TCR_SUSPENDED', 'TCR_EXPIRED'];

function plain(name: string): [string, Usecase] {
  return [name, { monthlyFee: 10, samples: 1 }];
}

/** Returns the operations on campaigns. */
export function campaignRoutes(world: World): readonly Route[] {
  const { campaigns } = world.state;
  const find = (id = '') => orNotFound(campaigns.get(id));
  return [
    {
      name: 'GET /10dlc/campaignBuilder/brand/{brandId}/usecase/{usecase}',
      answer: ({ params }) =>
        flat(qualification(world, orNotFound(world.state.brands.get(params['brandId'] ?? '')), params['usecase'])),
    },
    { name: 'POST /10dlc/campaignBuilder', answer: ({ body }) => flat(addCampaign(world, body as Partial<Campaign>)) },
    {
      name: 'GET /10dlc/campaign',
      answer: ({ query }) => {
        const found = filtered(campaigns.values(), query, { brandId: 'brandId' });
        if (!query.has('brandId')) {
          throw new RegistryRefusal(['query', 'brandId'], 'field required', 'value_error.missing');
        }
        return records(
          found.map(({ referenceId, ...shown }) => shown),
          query,
        );
      },
    },
    { name: 'GET /10dlc/campaign/{campaignId}', answer: ({ params }) => flat(find(params['campaignId'])) },
    {
      name: 'GET /10dlc/campaign/{campaignId}/operationStatus',
      answer: ({ params }) => {
        const status = operationStatusOf(find(params['campaignId']));
        return flat(Object.fromEntries([...MNOS.keys()].map((mno) => [mno, status])));
      },
    },
    {
      name: 'GET /10dlc/campaign/{campaignId}/mnoMetadata',
      answer: ({ params }) => flat(metadataOf(find(params['campaignId']).usecase, true)),
    },
    {
      name: 'GET /10dlc/campaign/{campaignId}/osr/attributes',
      answer: ({ params, query }) => {
        checkParameters(query, []);
        const isSmall = find(params['campaignId']).usecase === 'SOLE_PROPRIETOR';
        const att = isSmall ? { msg_class: 'W', tpm: 15 } : { msg_class: 'E', tpm: 240 };
        return flat({ '10017': att, '10035': { brand_tier: isSmall ? 'LOW' : 'UPPER_MID' } });
      },
    },
    {
      name: 'DELETE /10dlc/campaign/{campaignId}',
      answer: ({ params }) => {
        const campaign = find(params['campaignId']);
        if (campaign.status === 'ACTIVE') changeCampaign(world, campaign, { campaignStatus: 'TCR_EXPIRED' });
        return flat({ time: time.now() / 1000 });
      },
    },
  ];
}

/** Returns the costs and the requirements of a campaign of this use. */
function qualification({ settings }: World, { status, identityStatus }: Brand, usecase = ''): object {
  const { monthlyFee } = usecaseOf(usecase, ['path', 'usecase']);
  const [minSubUsecases, maxSubUsecases] = subUsecasesOf(settings, usecase);
  return {
    usecase,
    monthlyFee,
    quarterlyFee: monthlyFee * 3,
    annualFee: monthlyFee * 12,
    minSubUsecases,
    maxSubUsecases,
    mnoMetadata: metadataOf(usecase, status === 'OK' && isVerified(identityStatus)),
  };
}

function usecaseOf(name: string, loc: readonly string[]): Usecase {
  const found = USECASES.get(name);
  if (found === undefined) throw new RegistryRefusal(loc, `${name} is not a use case`);
  return found;
}

/** Returns the least and the most use cases that a campaign of this use may have. */
function subUsecasesOf({ mixedUseCases }: World['settings'], usecase: string): readonly [number, number] {
  return usecase === 'MIXED' ? mixedUseCases : (USECASES.get(usecase)?.sub ?? [0, 0]);
}

function isVerified(identityStatus: Brand['identityStatus']): boolean {
  return identityStatus === 'VERIFIED' || identityStatus === 'VETTED_VERIFIED';
}

function metadataOf(usecase: string, qualify: boolean): object {
  const common = {
    qualify,
    mnoSupport: true,
    mnoReview: false,
    minMsgSamples: USECASES.get(usecase)?.samples ?? 1,
    reqSubscriberOptin: true,
    reqSubscriberOptout: true,
    reqSubscriberHelp: true,
    noEmbeddedLink: false,
    noEmbeddedPhone: false,
  };
  return Object.fromEntries([...MNOS].map(([id, mno]) => [id, { mno, ...common }]));
}

function operationStatusOf({ campaignStatus }: Campaign): string {
  if (campaignStatus === 'MNO_PROVISIONED') return 'REGISTERED';
  if (campaignStatus === 'MNO_REJECTED') return 'REJECTED';
  return CLOSED.includes(campaignStatus) ? 'SUSPENDED' : 'REVIEW';
}

function addCampaign(world: World, given: Partial<Campaign>): Campaign {
  const { state, settings, later } = world;
  const brand = checkCampaign(world, given);
  checkBalance(state, USECASES.get(given.usecase ?? '')?.monthlyFee ?? 0);
  const campaign: Campaign = {
    ...(given as Campaign),
    subUsecases: given.subUsecases ?? [],
    termsAndConditions: given.termsAndConditions ?? false,
    campaignId: randomUUID(),
    tcrCampaignId: null,
    tcrBrandId: brand.tcrBrandId,
    brandDisplayName: brand.displayName,
    cspId: 'TELNYX',
    mock: false,
    campaignStatus: 'TCR_PENDING',
    submissionStatus: 'PENDING',
    status: 'ACTIVE',
    isTMobileRegistered: false,
    isTMobileSuspended: false,
    createDate: nowText(),
  };
  state.campaigns.set(campaign.campaignId, campaign);
  for (const [index, status] of STEPS.entries()) {
    if (index === 0) continue;
    later(settings.stepMs * index, () => {
      // After a decision of a control, there are no more steps.
      const isNext = campaign.campaignStatus === STEPS[index - 1];
      if (isNext && !state.reviewsPend) changeCampaign(world, campaign, { campaignStatus: status });
    });
  }
  return campaign;
}

/** Refuses a campaign that the registry would not take. Returns its brand. */
function checkCampaign({ state, settings }: World, given: Partial<Campaign>): Brand {
  const { brandId = '', referenceId, usecase = '', subUsecases = [], termsAndConditions } = given;
  const refuse = (field: string, message: string): never => {
    throw new RegistryRefusal(['body', field], message);
  };
  const brand = state.brands.get(brandId) ?? refuse('brandId', 'the brand does not exist');
  if (brand.status !== 'OK' || !isVerified(brand.identityStatus)) refuse('brandId', 'the brand is not verified');
  if (referenceId !== undefined && [...state.campaigns.values()].some((one) => one.referenceId === referenceId)) {
    refuse('referenceId', 'the reference is used already');
  }
  const { samples } = usecaseOf(usecase, ['body', 'usecase']);
  const [least, most] = subUsecasesOf(settings, usecase);
  if (subUsecases.length < least || subUsecases.length > most) {
    refuse('subUsecases', `a campaign ${usecase} has ${least} to ${most} use cases`);
  }
  for (const name of subUsecases) usecaseOf(name, ['body', 'subUsecases']);
  const texts = new Map<string, unknown>(Object.entries(given));
  for (let count = 1; count <= samples; count++) {
    if (!texts.get(`sample${count}`)) refuse(`sample${count}`, `${samples} samples are needed`);
  }
  if (termsAndConditions !== true) refuse('termsAndConditions', 'the terms must be accepted');
  return brand;
}
