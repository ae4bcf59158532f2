import { Balance } from '../domain/billing/index.ts';
import { complianceEventData } from '../domain/compliance/index.ts';
import { EVENT_CATALOG, EVENT_TYPES, type EventResource, WebhookEndpoint } from '../domain/events/index.ts';
import { messagingEventData } from '../domain/messaging/index.ts';
import { numberEventData } from '../domain/numbers/index.ts';
import { voiceEventData } from '../domain/voice/index.ts';
import type { EventDescription } from '../http/openapi/webhooks.ts';

// The type makes a missing entry an error of compilation: each resource of an event needs its schema.
const RESOURCES: Readonly<Record<EventResource, object>> = {
  ...messagingEventData,
  ...voiceEventData,
  ...complianceEventData,
  ...numberEventData,
  webhook_endpoint: WebhookEndpoint,
  balance: Balance,
};

/** Every event type, with a summary and the schema of the event's data. */
export const EVENT_DESCRIPTIONS: readonly EventDescription[] = EVENT_TYPES.map((type) => {
  const { when: summary, data } = EVENT_CATALOG[type];
  return { type, summary, data: typeof data === 'string' ? RESOURCES[data as EventResource] : data };
});
