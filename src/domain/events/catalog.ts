/** Every event type and when it happens. The webhook filter, the documentation and `emitEvent` read this list. */
export const EVENT_CATALOG = {
  'message.received': 'A text arrived on a number of the tenant.',
  'message.sent': 'The carrier accepted an outbound text (live carriers that report it).',
  'message.delivered': 'An outbound text reached the handset.',
  'message.failed': 'An outbound text will not arrive; failure_reason is the reason.',
  'opt_out.created': 'A person, the API or an import opted out of texts or of calls in which software speaks.',
  'opt_out.removed': 'An opt-out was lifted.',
  'opt_in.submitted': 'A person entered a number on an opt-in form and agreed to its text.',
  'call.started': 'An inbound call started to ring.',
  'call.placed': 'An outbound call started, by the API or by a web client.',
  'call.answered': 'The customer of an outbound call, or a target of an inbound one, answered; never for a voicemail.',
  'call.completed': 'A call ended; its status, outcome and duration are final.',
  'call.missed': 'An inbound call ended unanswered, and no message was left.',
  'call.transcript': 'A party of a transcribed call finished an utterance.',
  'call.summary': 'The summary of a transcribed call is ready.',
  'call.dtmf': 'A party of a call pressed a key.',
  'call.gather': 'A gather ended.',
  'call.speech.ended': 'A speech that the API requested is over, or was broken off.',
  'call.menu': 'The caller chose an option of a menu.',
  'call.transfer.started': 'A transfer started: the new agent rings, and the customer hears hold audio.',
  'call.transfer.completed': 'The customer is connected with the new agent, or with the voicemail.',
  'call.transfer.failed': 'The new agent did not take the call; reason says why.',
  'emergency_call.placed': 'A web client called 911.',
  'call.stream.started': 'The client of a media stream is connected.',
  'call.stream.stopped': 'A media stream ended; billed_seconds is its billed duration.',
  'call.stream.failed': 'A media stream could not start, or its audio was lost.',
  'voicemail.created': 'A voicemail can be listened to.',
  'recording.created': 'The recording of a call can be listened to.',
  'brand.status_changed': 'The vetting of a brand ended.',
  'campaign.status_changed': 'A campaign was submitted, approved, rejected, suspended or reinstated.',
  'number.status_changed': 'A phone number changed its status.',
  'port_in.status_changed': 'A port-in changed its status.',
  'webhook_endpoint.disabled': 'An endpoint was disabled, by hand or because its receiver kept failing.',
  'balance.low': 'The prepaid balance fell below what registrations and purchases need.',
  'number.port_out': 'Another carrier asks for a number: the request is pending, carried out or rejected.',
} as const;

export type EventType = keyof typeof EVENT_CATALOG;

export const EVENT_TYPES = Object.keys(EVENT_CATALOG) as EventType[];

/** The version of the event format, named by its date. An endpoint keeps the version with which it was created. */
export const EVENT_VERSION = '2026-11-20';

/** The lane kind of webhook deliveries: group = endpoint, key = resource. */
export const WEBHOOK_LANES = 'webhook';

/** An event to emit. */
export type NewEvent = {
  readonly type: EventType;
  /** Null for events of the account itself. */
  readonly tenantId: string | null;
  /** Events of one resource are numbered and delivered in order. */
  readonly resourceId: string;
  /** True if the resource has had no event and will have no other, so that its events need not be counted. */
  readonly isOnly?: true;
  /** The whole resource, with `object`. */
  readonly data: { readonly object: string } & Readonly<Record<string, unknown>>;
};

/** An event as every receiver gets it, over webhooks and over the realtime socket. */
export type EventEnvelope = {
  id: string;
  object: 'event';
  type: string;
  event_version: string;
  created_at: Date;
  tenant_id: string | null;
  resource_id: string;
  /** Position among the resource's events, from 1. */
  sequence: number;
  data: unknown;
};
