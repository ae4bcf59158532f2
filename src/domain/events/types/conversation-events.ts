/** The events of conversations. */
import { CONVERSATION_ID, type EventEntry, NUMBER_ID, PERSON, type SampleData, TENANT_ID } from './entry.ts';

function conversation(at: string): SampleData {
  return {
    id: CONVERSATION_ID,
    object: 'conversation',
    tenant_id: TENANT_ID,
    phone_number_id: NUMBER_ID,
    external_number: PERSON,
    last_activity_at: at,
    last_message_preview: 'Can I come at 4 instead?',
    last_activity_kind: 'message',
    opted_out: false,
    state: 'open',
    assignee: 'user-17',
    snoozed_until: null,
    tags: ['booking'],
    contact_id: 'con_01jd5h0s4mp1e0000000000000',
    changed: ['state', 'assignee'],
  };
}

export const CONVERSATION_EVENTS = {
  'conversation.updated': {
    when: 'State, assignee, snooze, tags or contact of a conversation changed: by a request, at the end of a snooze, or by a text, missed call or voicemail of the person. Or a note was written or deleted.',
    docs: { data: 'with `changed`, the names of the fields, and `notes` for a note' },
    data: 'changed_conversation',
    sample: (at) => ({ tenantId: TENANT_ID, resourceId: CONVERSATION_ID, data: conversation(at) }),
  },
} as const satisfies Readonly<Record<string, EventEntry>>;
