/** Recipes of numbers, port-ins, brands, campaigns and webhook endpoints. */
import { randomInt } from 'node:crypto';
import { OWN_NAME, type Recipe } from './recipe.ts';
import type { Made, Stage } from './stage.ts';

const PLACE = { street: '100 N Central Ave', city: 'Phoenix', state: 'AZ', postal_code: '85004' } as const;

const BRAND = {
  legal_name: 'Desert Dental LLC',
  ein: '12-3456789',
  entity_type: 'private_company',
  website: 'https://desert-dental.example',
  contact_email: 'office@desert-dental.example',
  phone: '+16025550100',
  ...PLACE,
} as const;

const CAMPAIGN = {
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

const PORT_IN = {
  entity_name: 'Desert Dental LLC',
  authorized_person: 'Dana Reyes',
  billing_phone_number: '+16025550110',
  account_number: '4471-0093',
  pin: '9034',
  service_address: PLACE,
} as const;

/** Approves a brand or campaign that waits for a review by hand. */
async function approve(stage: Stage, kind: 'brands' | 'campaigns', { id }: Made): Promise<void> {
  const { status = '' } = await stage.get(`/${kind}/${id}`);
  if (status.startsWith('pending_')) await stage.post(`/test/${kind}/${id}/review`, { result: 'approved' });
}

async function makeBrand(stage: Stage, body: typeof BRAND): Promise<Made> {
  const brand = await stage.post('/brands', { tenant_id: await stage.tenant(), ...body });
  await approve(stage, 'brands', brand);
  return brand;
}

/** Returns a vetted brand that a campaign of the tenant may use. */
async function findBrand(stage: Stage): Promise<Made> {
  const tenantId = await stage.tenant();
  const { data } = await stage.get<{ data: Made[] }>('/brands?limit=100');
  const isUsable = ({ status, tenant_id }: Made) => status === 'vetted' && tenant_id === tenantId;
  return data.find(isUsable) ?? makeBrand(stage, BRAND);
}

/** Returns a number of another carrier. In all likelihood no earlier run has ported it. */
function numberElsewhere(): string {
  return `+1520${randomInt(2_000_000, 10_000_000)}`;
}

export const ACCOUNT_RECIPES = {
  'brand.status_changed': async (stage) => (await makeBrand(stage, stage.change(BRAND))).id,
  'campaign.status_changed': async (stage) => {
    const { id: brand_id } = await findBrand(stage);
    const body = stage.change({ tenant_id: await stage.tenant(), brand_id, ...CAMPAIGN });
    const campaign = await stage.post('/campaigns', body);
    await approve(stage, 'campaigns', campaign);
    return campaign.id;
  },
  'number.status_changed': async (stage) => {
    const { id } = await stage.buyNumber(stage.change({}));
    await stage.send('DELETE', `/phone_numbers/${id}`);
    return id;
  },
  'number.port_out': async (stage) => {
    const { id } = await stage.number();
    const request = stage.change({ status: 'pending', carrier_name: 'Example Mobile' });
    await stage.post(`/test/phone_numbers/${id}/port_out`, request);
    return id;
  },
  'port_in.status_changed': async (stage) => {
    const tenant_id = await stage.tenant();
    const { id } = await stage.post(
      '/port_ins',
      stage.change({ tenant_id, phone_numbers: [numberElsewhere()], ...PORT_IN }),
    );
    await stage.post(`/port_ins/${id}/submit`);
    return id;
  },
  'webhook_endpoint.disabled': async (stage) => {
    // No server has this name, so no event leaves this machine. The endpoint takes only the event that it was disabled.
    const url = 'https://platform.example/hooks';
    const enabled_events = ['webhook_endpoint.disabled'];
    const { id } = await stage.post('/webhook_endpoints', stage.change({ url, enabled_events, description: OWN_NAME }));
    await stage.send('PATCH', `/webhook_endpoints/${id}`, { status: 'disabled' });
    await stage.send('DELETE', `/webhook_endpoints/${id}`);
    return id;
  },
} satisfies Record<string, Recipe>;
