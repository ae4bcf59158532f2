import type { ErrorCode } from '../../../lib/errors/errors.ts';
import type { OperationTexts } from './operation-text.ts';

const SEND: readonly ErrorCode[] = [
  'empty_message',
  'body_too_long',
  'message_too_long',
  'invalid_to',
  'invalid_send_at',
  'from_number_not_found',
  'tenant_restricted_key',
  'template_not_found',
  'missing_variables',
];

/** Texts, their templates and conversations. */
export const MESSAGING_TEXTS: OperationTexts = {
  sendMessage: {
    description:
      'Sends a text from a number of a tenant. The reply has the status `queued`, or `scheduled` with `send_at` or in ' +
      'quiet hours. It ends as `delivered` or `failed`; `error_code` is the reason. The text is in the conversation ' +
      'of the two numbers.',
    errors: [
      ...SEND,
      'recipient_opted_out',
      'number_not_sms_capable',
      'campaign_not_approved',
      'destination_not_supported',
      'insufficient_balance',
      'carrier_unavailable',
    ],
    events: ['message.sent', 'message.delivered', 'message.failed'],
  },
  listMessages: {
    description: 'Returns the texts, newest first. All filters can be combined.',
    errors: ['conversation_not_found', 'tenant_restricted_key'],
  },
  checkMessage: {
    description:
      'Judges a send as `POST /v1/messages` would, without sending. `accepted` is false with the `error` that the send ' +
      'would get; a body that is no send at all is refused.',
    errors: ['carrier_unavailable'],
  },
  getMessage: {
    description: 'Returns a text with all its statuses.',
    errors: ['message_not_found', 'tenant_restricted_key'],
  },
  listMessageAttempts: {
    description:
      'Returns the attempts to hand a text to its carrier, oldest first, with what became of each. A text that the ' +
      'carrier accepted at the first attempt has none: its statuses say all.',
    errors: ['message_not_found', 'tenant_restricted_key'],
  },
  cancelMessage: {
    description: 'Cancels a text that is still `scheduled`.',
    errors: ['message_not_found', 'message_not_cancellable', 'tenant_restricted_key'],
  },
  redactMessage: {
    description:
      'Deletes the body and the media of a text. Its times, status, numbers and usage stay, and so does `metadata`. ' +
      'Stored events, and with them replays and resends, carry the redacted text from then on. A text that is ' +
      '`scheduled` or `queued` is still sent as it was written, and its content is deleted once it has left. ' +
      'A repeat returns the same text.',
    errors: ['message_not_found', 'tenant_restricted_key'],
  },
  search: {
    description:
      'Finds tenants, contacts, numbers and conversations. Those whose id or reference is the text come first. Then come ' +
      'those with a number that begins with it, in any usual writing, and those with a word in the name that begins with ' +
      'it, without regard to case and accents.',
    errors: ['tenant_restricted_key'],
  },
  listContacts: {
    description:
      'Returns the contacts, newest first. With `q` only contacts that match each word of it: a word of the name or the ' +
      'company begins with it, without regard to case and accents. They come in the order of the word that was found, and ' +
      'such a page may have fewer contacts than `limit` although more follow. Filters can be combined.',
    errors: ['tenant_restricted_key'],
  },
  createContact: {
    description:
      "Stores a person that a tenant knows. A number is one contact's in the tenant, and so is `external_ref`.",
    errors: ['tenant_not_found', 'tenant_restricted_key', 'contact_number_taken', 'external_ref_taken'],
  },
  upsertContacts: {
    description:
      'Stores up to 100 contacts of a tenant, in their order. The contact with the same `external_ref` is changed, ' +
      'otherwise the one with one of the numbers, otherwise a contact is created. A change replaces the given fields, as ' +
      'PATCH does. Each has a result; one that is `refused` has changed nothing, and the others stand. A contact that a ' +
      'number finds, and that has another `external_ref`, is another person: `contact_number_taken`.',
    errors: ['tenant_not_found', 'tenant_restricted_key'],
  },
  getContact: { description: 'Returns a contact.', errors: ['contact_not_found', 'tenant_restricted_key'] },
  updateContact: {
    description: 'Changes the given fields of a contact. `phone_numbers` and `metadata` are replaced as a whole.',
    errors: ['contact_not_found', 'tenant_restricted_key', 'contact_number_taken', 'external_ref_taken'],
  },
  deleteContact: {
    description: 'Deletes a contact. Conversations, texts and calls with its numbers stay.',
    errors: ['contact_not_found', 'tenant_restricted_key'],
  },
  createMessageTemplate: {
    description: 'Saves a text with `{{variables}}`, for one tenant or without `tenant_id` for all tenants.',
    errors: ['tenant_not_found', 'tenant_restricted_key', 'key_not_permitted'],
  },
  listMessageTemplates: { description: 'Returns the templates, newest first.', errors: ['tenant_restricted_key'] },
  getMessageTemplate: { description: 'Returns a template.', errors: ['template_not_found', 'tenant_restricted_key'] },
  updateMessageTemplate: {
    description: 'Changes the name or the body of a template. Texts that were sent or scheduled do not change.',
    errors: ['template_not_found', 'tenant_restricted_key', 'key_not_permitted'],
  },
  deleteMessageTemplate: {
    description: 'Deletes a template. Texts that were sent or scheduled do not change.',
    errors: ['template_not_found', 'tenant_restricted_key', 'key_not_permitted'],
  },
  getMessageMedia: {
    description:
      'Returns a file of an inbound text, as an attachment. The `media` of the message has a signed address for it, ' +
      'which needs no key and is valid for an hour. `position` counts from 0.',
    errors: ['message_not_found', 'media_not_found', 'tenant_restricted_key', 'storage_unavailable'],
  },
  listConversations: {
    description:
      'Returns the conversations, the most recent activity first. A conversation with new activity moves to the top. ' +
      'A walk through the pages that has not reached it misses it: read from the top again to see it. With `reader` each ' +
      'has `unread_count`. A page of `unread` examines about a thousand conversations: it may have fewer than `limit`, ' +
      'and a next page.',
    errors: [
      'phone_number_not_found',
      'contact_not_found',
      'tenant_restricted_key',
      'key_not_permitted',
      'missing_fields',
    ],
  },
  getConversation: {
    description:
      'Returns the conversation between a number of a tenant and an external number. With `reader` it has `unread_count`.',
    errors: ['conversation_not_found', 'tenant_restricted_key', 'key_not_permitted'],
  },
  markConversationRead: {
    description:
      'Records that a user of yours has read the conversation as it is now: its `unread_count` for that reader is 0. A ' +
      'browser session with a `reader` reads as that one. Of one conversation the 200 latest readers are kept.',
    errors: ['conversation_not_found', 'tenant_restricted_key', 'key_not_permitted', 'missing_fields'],
  },
  updateConversation: {
    description:
      'Changes the given fields. `tags` are replaced as a whole. `snoozed_until` is a moment of the ledger: then the ' +
      'conversation is unsnoozed, and `conversation.updated` says so. An inbound text, a missed call or a voicemail sets ' +
      '`state` to open and ends the snooze.',
    errors: ['conversation_not_found', 'contact_not_found', 'tenant_restricted_key'],
    events: ['conversation.updated'],
  },
  getConversationTimeline: {
    description: 'Returns the texts, calls, voicemails and notes of a conversation in one list, newest first.',
    errors: ['conversation_not_found', 'tenant_restricted_key'],
  },
  listConversationNotes: {
    description: 'Returns what your users have written about a conversation, newest first.',
    errors: ['conversation_not_found', 'tenant_restricted_key'],
  },
  createConversationNote: {
    description:
      'Saves what a user writes to others about a conversation. It is in the timeline and is never sent. The state, the ' +
      'activity and the preview of the conversation stay.',
    errors: ['conversation_not_found', 'tenant_restricted_key', 'too_many_notes'],
    events: ['conversation.updated'],
  },
  deleteConversationNote: {
    description: 'Deletes a note. The audit log says who did it.',
    errors: ['conversation_not_found', 'note_not_found', 'tenant_restricted_key'],
    events: ['conversation.updated'],
  },
};
