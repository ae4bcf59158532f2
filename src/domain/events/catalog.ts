import { ACCOUNT_EVENTS } from './types/account-events.ts';
import { CALL_EVENTS, LATER_CALL_EVENTS } from './types/call-events.ts';
import { CONVERSATION_EVENTS } from './types/conversation-events.ts';
import type { EventEntry, Sample } from './types/entry.ts';
import { MESSAGE_EVENTS } from './types/message-events.ts';
import { RELAY_EVENTS } from './types/relay-events.ts';

/** Every event type, in the order of pages and documents. */
const CATALOG = {
  ...MESSAGE_EVENTS,
  ...CALL_EVENTS,
  ...ACCOUNT_EVENTS,
  ...RELAY_EVENTS,
  ...LATER_CALL_EVENTS,
  ...CONVERSATION_EVENTS,
};

export type EventType = keyof typeof CATALOG;

export const EVENT_CATALOG: Readonly<Record<EventType, EventEntry>> = CATALOG;

export const EVENT_TYPES = Object.keys(EVENT_CATALOG) as EventType[];

/** The resources that events contain, by the names in the `data` of the entries. */
export type EventResource = Extract<(typeof CATALOG)[EventType]['data'], string>;

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

/** Returns a made-up event of the type with the time `at`. */
export function sampleOf(type: EventType, at: Date): Sample {
  return EVENT_CATALOG[type].sample(at.toISOString());
}
