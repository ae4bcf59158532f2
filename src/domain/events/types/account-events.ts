/** The events of registrations, numbers, port-ins, webhook endpoints and the balance. */
import { EVENT_VERSION, type EventEntry, NUMBER, NUMBER_ID, type Sample, type SampleData, TENANT_ID } from './entry.ts';

const PORT_IN_ID = 'port_01jd5h0s4mp1e0000000000000';
const ACCOUNT_ID = 'acct_01jd5h0s4mp1e0000000000000';
const BRAND_ID = 'brd_01jd5h0s4mp1e0000000000000';
const CAMPAIGN_ID = 'cmp_01jd5h0s4mp1e0000000000000';
const ENDPOINT_ID = 'whe_01jd5h0s4mp1e0000000000000';

function phoneNumber(at: string): SampleData {
  return {
    id: NUMBER_ID,
    object: 'phone_number',
    tenant_id: TENANT_ID,
    phone_number: NUMBER,
    status: 'active',
    capabilities: ['sms', 'mms', 'voice'],
    routing_config_id: null,
    campaign_id: null,
    e911_address_id: null,
    messaging_ready: false,
    created_at: at,
    previous_status: 'pending',
  };
}

function leaving(at: string): SampleData {
  const { previous_status: _, ...number } = phoneNumber(at);
  return { ...number, port_out: { status: 'pending', carrier_name: 'Example Mobile', reason: null } } as SampleData;
}

function portIn(at: string): SampleData {
  return {
    id: PORT_IN_ID,
    object: 'port_in',
    tenant_id: TENANT_ID,
    phone_numbers: [NUMBER],
    status: 'foc_confirmed',
    status_detail: null,
    entity_name: 'Desert Dental LLC',
    authorized_person: 'Dana Reyes',
    billing_phone_number: NUMBER,
    account_number: '4471-0093',
    service_address: { street: '100 N Central Ave', city: 'Phoenix', state: 'AZ', postal_code: '85004' },
    foc_date: at,
    created_at: at,
    previous_status: 'in_review',
  };
}

function endpoint(at: string): SampleData {
  return {
    id: ENDPOINT_ID,
    object: 'webhook_endpoint',
    url: 'https://platform.example/hooks/phone',
    enabled_events: null,
    tenant_id: null,
    description: null,
    status: 'disabled',
    disabled_reason: 'failing',
    failing_since: at,
    event_version: EVENT_VERSION,
    created_at: at,
  };
}

function brand(at: string): SampleData {
  return {
    id: BRAND_ID,
    object: 'brand',
    legal_name: 'Desert Dental LLC',
    dba: 'Desert Dental',
    ein: '**-***6789',
    entity_type: 'private_company',
    website: 'https://desert-dental.example',
    contact_email: 'office@desert-dental.example',
    phone: NUMBER,
    street: '100 N Central Ave',
    city: 'Phoenix',
    state: 'AZ',
    postal_code: '85004',
    tenant_id: TENANT_ID,
    status: 'vetted',
    rejection_reason: null,
    created_at: at,
    previous_status: 'pending_vetting',
  };
}

function campaign(at: string): SampleData {
  return {
    id: CAMPAIGN_ID,
    object: 'campaign',
    tenant_id: TENANT_ID,
    brand_id: BRAND_ID,
    use_case: 'appointment_reminders',
    description: 'Desert Dental reminds its patients of the appointments that they have made.',
    sample_messages: [
      'Desert Dental: your appointment is tomorrow at 3 pm. Reply STOP to opt out.',
      'Desert Dental: please confirm your appointment on Monday with C.',
    ],
    opt_in_description: 'Patients tick a box on the booking form to get reminders by text.',
    status: 'approved',
    rejection_reason: null,
    throughput: { messages_per_minute: 240, daily_cap: 2000 },
    created_at: at,
    previous_status: 'pending_review',
  };
}

const ofTenant = (resourceId: string, data: SampleData): Sample => ({ tenantId: TENANT_ID, resourceId, data });

const PREVIOUS_STATUS = { data: 'with `previous_status`' };

export const ACCOUNT_EVENTS = {
  'brand.status_changed': {
    when: 'The vetting of a brand ended.',
    docs: PREVIOUS_STATUS,
    data: 'brand',
    sample: (at) => ofTenant(BRAND_ID, brand(at)),
  },
  'campaign.status_changed': {
    when: 'A campaign was submitted, approved, rejected, suspended or reinstated.',
    docs: PREVIOUS_STATUS,
    data: 'campaign',
    sample: (at) => ofTenant(CAMPAIGN_ID, campaign(at)),
  },
  'number.status_changed': {
    when: 'A phone number changed its status.',
    docs: { when: 'except in the purchase that answered you', ...PREVIOUS_STATUS },
    data: 'phone_number',
    sample: (at) => ofTenant(NUMBER_ID, phoneNumber(at)),
  },
  'port_in.status_changed': {
    when: 'A port-in changed its status.',
    docs: PREVIOUS_STATUS,
    data: 'port_in',
    sample: (at) => ofTenant(PORT_IN_ID, portIn(at)),
  },
  'webhook_endpoint.disabled': {
    when: 'An endpoint was disabled, by hand or because its receiver kept failing.',
    data: 'webhook_endpoint',
    sample: (at) => ({ tenantId: null, resourceId: ENDPOINT_ID, data: endpoint(at) }),
  },
  'balance.low': {
    when: 'The prepaid balance fell below what registrations and purchases need.',
    data: 'balance',
    sample: () => ({
      tenantId: null,
      resourceId: ACCOUNT_ID,
      data: { object: 'balance', amount_usd: '19.9921', currency: 'usd' },
    }),
  },
  'number.port_out': {
    when: 'Another carrier asks for a number: the request is pending, carried out or rejected.',
    docs: { data: 'with `port_out`: `{status: pending, ported or rejected, carrier_name, reason}`' },
    data: 'leaving_number',
    sample: (at) => ofTenant(NUMBER_ID, leaving(at)),
  },
} as const satisfies Record<string, EventEntry>;
