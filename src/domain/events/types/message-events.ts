/** The events of texts, opt-outs and opt-ins. */
import { CONVERSATION_ID, type EventEntry, NUMBER, PERSON, type Sample, type SampleData, TENANT_ID } from './entry.ts';

const MESSAGE_ID = 'msg_01jd5h0s4mp1e0000000000000';
const CAMPAIGN_ID = 'cmp_01jd5h0s4mp1e0000000000000';
const SUBMISSION_ID = 'ois_01jd5h0s4mp1e0000000000000';

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
    redacted_at: null,
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
    channels: ['text', 'call'],
    opted_out_at: at,
    source: 'stop_keyword',
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

const ofMessage = (data: SampleData): Sample => ({ tenantId: TENANT_ID, resourceId: MESSAGE_ID, data });
const ofOptOut = (data: SampleData): Sample => ({ tenantId: TENANT_ID, resourceId: `${TENANT_ID}:${PERSON}`, data });

export const MESSAGE_EVENTS = {
  'message.received': {
    when: 'A text arrived on a number of the tenant.',
    data: 'message',
    sample: (at) =>
      ofMessage(
        message(at, {
          direction: 'inbound',
          from: PERSON,
          to: NUMBER,
          body: 'Can I come at 4 instead?',
          ...sent(at, 'received'),
        }),
      ),
  },
  'message.sent': {
    when: 'The carrier accepted an outbound text (live carriers that report it).',
    data: 'message',
    sample: (at) => ofMessage(message(at, sent(at, 'queued', 'sent'))),
  },
  'message.delivered': {
    when: 'An outbound text reached the handset.',
    data: 'message',
    sample: (at) => ofMessage(message(at, sent(at, 'queued', 'delivered'))),
  },
  'message.failed': {
    when: 'An outbound text will not arrive; failure_reason is the reason.',
    docs: { data: 'with `failure_reason`' },
    data: 'failed_message',
    sample: (at) =>
      ofMessage(
        message(at, {
          ...sent(at, 'queued', 'failed'),
          error_code: 'carrier_rejected',
          error_detail: { carrier_code: '40004', title: 'Rejected by destination' },
          failure_reason: 'carrier_rejected',
        }),
      ),
  },
  'opt_out.created': {
    when: 'A person, the API or an import opted out of texts or of calls where software speaks.',
    data: 'opt_out',
    sample: (at) => ofOptOut(optOut(at)),
  },
  'opt_out.removed': {
    when: 'An opt-out was lifted.',
    docs: { data: 'as it was' },
    data: 'opt_out',
    sample: (at) => ofOptOut(optOut(at)),
  },
  'opt_in.submitted': {
    when: 'A person entered a number on an opt-in form and agreed to its text.',
    docs: { when: 'for the first time or again: [opt-in forms](opt-in-forms.md)' },
    data: 'opt_in_submission',
    sample: (at) => ({ tenantId: TENANT_ID, resourceId: SUBMISSION_ID, data: optIn(at) }),
  },
} as const satisfies Record<string, EventEntry>;
