/** Fixtures of brands, campaigns and their reviews. */
import { randomUUID } from 'node:crypto';
import { BRAND, CAMPAIGN } from '../support/compliance.ts';
import type { Json } from '../support/events.ts';
import type { Fixture } from './fixture.ts';
import { PRIVACY_FIXTURES } from './fixtures-privacy.ts';
import type { World } from './world.ts';

async function newBrand(world: World): Promise<Json> {
  return world.must('POST', '/v1/brands', { ...BRAND, tenant_id: world.tenantId });
}

async function campaignBody(world: World): Promise<Record<string, Json>> {
  return { ...CAMPAIGN, tenant_id: world.tenantId, brand_id: (await newBrand(world)).id };
}

export async function newCampaign(world: World, fields: object = {}): Promise<Json> {
  return world.must('POST', '/v1/campaigns', { ...(await campaignBody(world)), ...fields });
}

/** Runs `make` while reviews are manual. Returns its result, which waits for a review. */
async function pending<Made>({ must }: World, make: () => Promise<Made>): Promise<Made> {
  await must('POST', '/v1/test/reviews', { mode: 'manual' });
  const made = await make();
  await must('POST', '/v1/test/reviews', { mode: 'auto' });
  return made;
}

/** A sole proprietor whose code is to be confirmed. */
const newPerson = (world: World): Promise<Json> =>
  pending(world, () =>
    world.must('POST', '/v1/brands', { ...BRAND, entity_type: 'sole_proprietor', tenant_id: world.tenantId }),
  );

export const COMPLIANCE_FIXTURES: Readonly<Record<string, Fixture>> = {
  ...PRIVACY_FIXTURES,
  'GET /v1/brands': {
    make: async ({ tenantId }) => ({ query: { tenant_id: tenantId } }),
    refs: { 'query.tenant_id': 'tenant_not_found' },
    row: async (world) => (await newBrand(world)).id,
  },
  'POST /v1/brands': {
    make: async (world) => ({ body: { ...BRAND, legal_name: `Made ${randomUUID()}`, tenant_id: world.tenantId } }),
    refs: { 'body.tenant_id': 'tenant_not_found' },
  },
  'GET /v1/brands/{brand_id}': {
    make: async (world) => ({ path: { brand_id: (await newBrand(world)).id } }),
    refs: { 'path.brand_id': 'brand_not_found' },
  },
  'POST /v1/brands/{brand_id}/verification/resend': {
    alone: true,
    make: async (world) => ({ path: { brand_id: (await newPerson(world)).id } }),
    refs: { 'path.brand_id': 'brand_not_found' },
  },
  'POST /v1/brands/{brand_id}/verification/confirm': {
    alone: true,
    make: async (world) => ({ path: { brand_id: (await newPerson(world)).id }, body: { code: '123456' } }),
    refs: { 'path.brand_id': 'brand_not_found' },
  },
  'GET /v1/campaigns': {
    make: async (world) => ({ query: { tenant_id: world.tenantId, status: 'approved' } }),
    refs: { 'query.tenant_id': 'tenant_not_found' },
    row: async (world) => (await newCampaign(world)).id,
  },
  'POST /v1/campaigns': {
    make: async (world) => ({ body: await campaignBody(world) }),
    refs: { 'body.tenant_id': 'tenant_not_found', 'body.brand_id': 'brand_not_found' },
  },
  'POST /v1/campaigns/check': {
    make: async (world) => ({ body: await campaignBody(world) }),
    refs: { 'body.tenant_id': 'tenant_not_found', 'body.brand_id': 'brand_not_found' },
  },
  'GET /v1/campaigns/{campaign_id}': {
    make: async (world) => ({ path: { campaign_id: (await newCampaign(world)).id } }),
    refs: { 'path.campaign_id': 'campaign_not_found' },
  },
  'PATCH /v1/campaigns/{campaign_id}': {
    make: async (world) => ({
      path: { campaign_id: (await newCampaign(world, { draft: true })).id },
      body: { ...(await campaignBody(world)), draft: true },
    }),
    refs: {
      'path.campaign_id': 'campaign_not_found',
      'body.tenant_id': 'tenant_not_found',
      'body.brand_id': 'brand_not_found',
    },
  },
  'POST /v1/campaigns/{campaign_id}/submit': {
    make: async (world) => ({ path: { campaign_id: (await newCampaign(world, { draft: true })).id } }),
    refs: { 'path.campaign_id': 'campaign_not_found' },
  },
  'POST /v1/test/brands/{brand_id}/review': {
    alone: true,
    make: async (world) => ({
      path: { brand_id: (await pending(world, () => newBrand(world))).id },
      body: { result: 'rejected', reason: 'For a test' },
    }),
    refs: { 'path.brand_id': 'brand_not_found' },
  },
  'POST /v1/test/campaigns/{campaign_id}/review': {
    make: async (world) => ({
      path: { campaign_id: (await newCampaign(world)).id },
      body: { result: 'suspended', reason: 'For a test' },
    }),
    refs: { 'path.campaign_id': 'campaign_not_found' },
  },
  'GET /v1/test/reviews': { make: async () => ({}) },
  'POST /v1/test/reviews': { make: async () => ({ body: { mode: 'auto' } }) },
};
