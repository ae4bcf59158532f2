/** The brands of the 10DLC registry, and all of its operations. Its answers have no `data` around them. */
import { randomUUID } from 'node:crypto';
import { checkBalance } from './account.ts';
import { assignmentRoutes } from './registry-assignments.ts';
import { campaignRoutes } from './registry-campaigns.ts';
import { otpRoutes } from './registry-otp.ts';
import { filtered, flat, RegistryRefusal, records } from './registry-replies.ts';
import { changeBrand } from './registry-reports.ts';
import type { Brand } from './registry-state.ts';
import { orNotFound } from './replies.ts';
import type { Route } from './routes.ts';
import { nowText } from './state.ts';
import type { World } from './world.ts';

/** The price of a brand, in USD. */
const PRICE = 4;
/** The fields of a brand in a list. */
const LISTED = new Set([
  ...['brandId', 'tcrBrandId', 'displayName', 'companyName', 'entityType', 'email', 'website'],
  ...['status', 'identityStatus', 'failureReasons', 'createdAt', 'updatedAt'],
]);
const FILTERS = ['displayName', 'entityType', 'state', 'country', 'brandId', 'tcrBrandId'] as const;
/** The required fields of each kind of company. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  PRIVATE_PROFIT: ['companyName', 'ein'],
  PUBLIC_PROFIT: ['companyName', 'ein', 'stockSymbol', 'stockExchange', 'businessContactEmail'],
  NON_PROFIT: ['companyName', 'ein'],
  GOVERNMENT: ['companyName', 'ein'],
  SOLE_PROPRIETOR: ['firstName', 'lastName', 'mobilePhone'],
};

/** Returns the operations of the registry. */
export function registryRoutes(world: World): readonly Route[] {
  return [...brandRoutes(world), ...otpRoutes(world), ...campaignRoutes(world), ...assignmentRoutes(world)];
}

function brandRoutes(world: World): readonly Route[] {
  const { brands, campaigns } = world.state;
  const find = (id = '') => orNotFound(brands.get(id));
  const countOf = (id: string) => [...campaigns.values()].filter(({ brandId }) => brandId === id).length;
  return [
    { name: 'POST /10dlc/brand', answer: ({ body }) => flat(addBrand(world, body as Partial<Brand>)) },
    {
      name: 'GET /10dlc/brand',
      answer: ({ query }) => {
        const fields = Object.fromEntries(FILTERS.map((name) => [name, name as keyof Brand]));
        const found = filtered(brands.values(), query, fields).map((brand) => ({
          ...Object.fromEntries(Object.entries(brand).filter(([name]) => LISTED.has(name))),
          // Telnyx's types have this spelling.
          assignedCampaingsCount: countOf(brand.brandId),
        }));
        return records(found, query);
      },
    },
    {
      name: 'GET /10dlc/brand/{brandId}',
      answer: ({ params }) => {
        const brand = find(params['brandId']);
        return flat({ ...brand, assignedCampaignsCount: countOf(brand.brandId) });
      },
    },
    {
      name: 'GET /10dlc/brand/feedback/{brandId}',
      answer: ({ params }) => {
        const { brandId, identityStatus, failureReasons } = find(params['brandId']);
        const description = failureReasons ?? 'The tax id is not that of the company.';
        const mismatch = { id: 'TAX_ID', displayName: 'Tax id', fields: ['ein'], description };
        return flat({ brandId, category: identityStatus === 'UNVERIFIED' ? [mismatch] : [] });
      },
    },
  ];
}

function addBrand(world: World, given: Partial<Brand>): Brand {
  const { state, settings, later } = world;
  const { entityType = '' } = given;
  const missing = (REQUIRED[entityType] ?? []).find((name) => !new Map(Object.entries(given)).get(name));
  if (missing !== undefined) throw new RegistryRefusal(['body', missing], 'field required', 'value_error.missing');
  checkBalance(state, PRICE);
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
    const identityStatus = entityType === 'SOLE_PROPRIETOR' ? settings.personIdentity : 'VERIFIED';
    changeBrand(world, brand, { status: 'OK', identityStatus }, 'REGISTRATION');
  });
  return brand;
}
