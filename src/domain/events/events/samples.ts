import { EVENT_VERSION, type EventType } from '../catalog.ts';
import { CONVERSATION_ID, NUMBER, NUMBER_ID, PERSON, type Sample, type SampleData, TENANT_ID } from './sample.ts';
import { VOICE_SAMPLES } from './samples-voice.ts';

const MESSAGE_ID = 'msg_01jd5h0s4mp1e0000000000000';
const PORT_IN_ID = 'port_01jd5h0s4mp1e0000000000000';
const ACCOUNT_ID = 'acct_01jd5h0s4mp1e0000000000000';
const BRAND_ID = 'brd_01jd5h0s4mp1e0000000000000';
const CAMPAIGN_ID = 'cmp_01jd5h0s4mp1e0000000000000';
const SUBMISSION_ID = 'ois_01jd5h0s4mp1e0000000000000';
const ENDPOINT_ID = 'whe_01jd5h0s4mp1e0000000000000';

function message(at: string, changes: Readonly<Record<string, unknown>>): SampleData {
  return {
    id: MESSAGE_ID,
    object: 'message',
    tenant_id: TENANT_ID,
    conversation_id: CONVERSATION_ID,
    direction: 'outbound',
    from: NUMBER,
    to: PERSON,
    group: false,
    other_recipients: [],
    body: 'Your appointment is tomorrow at 3 pm.',
    media: [],
    status: 'delivered',
    error_code: null,
    error_detail: null,
    segments: 1,
    metadata: {},
    send_at: null,
    created_at: at,
    ...changes,
  };
}

function sent(at: string, ...statuses: readonly string[]): Readonly<Record<string, unknown>> {
  return { status: statuses.at(-1), status_history: statuses.map((status) => ({ status, at })) };
}

function optOut(at: string): SampleData {
  return {
    object: 'opt_out',
    tenant_id: TENANT_ID,
    external_number: PERSON,
    opted_out_at: at,
    source: 'stop_keyword',
    channels: ['text', 'call'],
  };
}

function optIn(at: string): SampleData {
  return {
    id: SUBMISSION_ID,
    object: 'opt_in_submission',
    opt_in_form_id: 'oif_01jd5h0s4mp1e0000000000000',
    tenant_id: TENANT_ID,
    campaign_id: CAMPAIGN_ID,
    phone_number: PERSON,
    consent_text: 'I agree to get appointment reminders by text. Reply STOP to opt out at any time, or HELP for help.',
    submitted_at: at,
  };
}

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

const ofMessage = (data: SampleData): Sample => ({ tenantId: TENANT_ID, resourceId: MESSAGE_ID, data });
const ofOptOut = (data: SampleData): Sample => ({ tenantId: TENANT_ID, resourceId: `${TENANT_ID}:${PERSON}`, data });

// A total record: a type added to the catalogue does not compile without a sample.
const SAMPLES: Readonly<Record<EventType, (at: string) => Sample>> = {
  'message.received': (at) =>
    ofMessage(
      message(at, {
        direction: 'inbound',
        from: PERSON,
        to: NUMBER,
        body: 'Can I come at 4 instead?',
        ...sent(at, 'received'),
      }),
    ),
  'message.sent': (at) => ofMessage(message(at, sent(at, 'queued', 'sent'))),
  'message.delivered': (at) => ofMessage(message(at, sent(at, 'queued', 'delivered'))),
  'message.failed': (at) =>
    ofMessage(
      message(at, {
        ...sent(at, 'queued', 'failed'),
        error_code: 'carrier_rejected',
        error_detail: { carrier_code: '40004', title: 'Rejected by destination' },
        failure_reason: 'carrier_rejected',
      }),
    ),
  'opt_out.created': (at) => ofOptOut(optOut(at)),
  'opt_out.removed': (at) => ofOptOut(optOut(at)),
  'opt_in.submitted': (at) => ({ tenantId: TENANT_ID, resourceId: SUBMISSION_ID, data: optIn(at) }),
  ...VOICE_SAMPLES,
  'brand.status_changed': (at) => ({ tenantId: TENANT_ID, resourceId: BRAND_ID, data: brand(at) }),
  'campaign.status_changed': (at) => ({ tenantId: TENANT_ID, resourceId: CAMPAIGN_ID, data: campaign(at) }),
  'port_in.status_changed': (at) => ({ tenantId: TENANT_ID, resourceId: PORT_IN_ID, data: portIn(at) }),
  'number.status_changed': (at) => ({ tenantId: TENANT_ID, resourceId: NUMBER_ID, data: phoneNumber(at) }),
  'number.port_out': (at) => ({ tenantId: TENANT_ID, resourceId: NUMBER_ID, data: leaving(at) }),
  'webhook_endpoint.disabled': (at) => ({ tenantId: null, resourceId: ENDPOINT_ID, data: endpoint(at) }),
  'balance.low': () => ({
    tenantId: null,
    resourceId: ACCOUNT_ID,
    data: { object: 'balance', amount_usd: '19.9921', currency: 'usd' },
  }),
};

/** Returns a sample event of the type, as if it had happened at `at`. */
export function sampleOf(type: EventType, at: Date): Sample {
  return SAMPLES[type](at.toISOString());
}
