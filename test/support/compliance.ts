import assert from 'node:assert/strict';
import type { Json } from './events.ts';
import type { Harness } from './harness.ts';

/** The body of a request that creates a brand. */
export const BRAND = {
  legal_name: 'Desert Dental LLC',
  dba: 'Desert Dental',
  ein: '12-3456789',
  entity_type: 'private_company',
  website: 'https://desert-dental.example',
  contact_email: 'office@desert-dental.example',
  phone: '+16025550100',
  street: '100 N Central Ave',
  city: 'Phoenix',
  state: 'AZ',
  postal_code: '85004',
} as const;

/** Texts of a campaign without findings. */
export const CAMPAIGN = {
  use_case: 'appointment_reminders',
  description: 'Desert Dental reminds its patients of the appointments that they have made at the practice.',
  sample_messages: [
    'Desert Dental: your appointment is on [date] at [time]. Reply STOP to opt out, HELP for help.',
    'Desert Dental: please confirm your visit tomorrow with C, or call us to move it.',
  ],
  opt_in_description:
    'Patients tick a box, empty until they do, on the booking form at https://desert-dental.example/book. Beside it: ' +
    '"I agree to get appointment reminders by text. One message per appointment. Message and data rates may apply. ' +
    'Reply STOP to opt out, HELP for help."',
} as const;

type Options = { key?: string; body?: object };

async function create(harness: Harness, path: string, body: object, key?: string): Promise<Json> {
  const reply = await harness.call('POST', path, { ...(key !== undefined && { key }), body });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

/**
 * Creates a brand and returns the reply. The brand is then vetted, unless reviews are manual. Without `tenant_id` it is
 * the platform's brand.
 */
export function makeBrand(harness: Harness, { key, body = {} }: Options = {}): Promise<Json> {
  return create(harness, '/v1/brands', { ...BRAND, ...body }, key);
}

/** Creates a campaign of the tenant, by default with a new brand. */
export async function makeCampaign(
  harness: Harness,
  tenantId: string,
  { key, body = {} }: Options = {},
): Promise<Json> {
  const brand_id = (body as Json).brand_id ?? (await makeBrand(harness, { ...(key && { key }) })).id;
  return create(harness, '/v1/campaigns', { tenant_id: tenantId, brand_id, ...CAMPAIGN, ...body }, key);
}

/** Sets whether reviews are automatic. */
export async function setReviews(harness: Harness, mode: 'auto' | 'manual', key?: string): Promise<void> {
  const reply = await harness.call('POST', '/v1/test/reviews', { ...(key && { key }), body: { mode } });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
}
