import { Balance } from '../domain/billing/index.ts';
import { complianceEventData } from '../domain/compliance/index.ts';
import { EVENT_CATALOG, EVENT_TYPES, type EventType, WebhookEndpoint } from '../domain/events/index.ts';
import { messagingEventData } from '../domain/messaging/index.ts';
import { numberEventData } from '../domain/numbers/index.ts';
import { voiceEventData } from '../domain/voice/index.ts';
import type { EventDescription } from '../http/openapi/webhooks.ts';

// A total record: a type added to the catalogue does not compile without the schema of its data.
const EVENT_DATA: Readonly<Record<EventType, object>> = {
  ...messagingEventData,
  ...voiceEventData,
  ...complianceEventData,
  ...numberEventData,
  'webhook_endpoint.disabled': WebhookEndpoint,
  'balance.low': Balance,
};

/** Every event type, with its summary and the schema of its data. */
export const EVENT_DESCRIPTIONS: readonly EventDescription[] = EVENT_TYPES.map((type) => {
  return { type, summary: EVENT_CATALOG[type], data: EVENT_DATA[type] };
});
