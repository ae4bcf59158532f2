export {
  EVENT_CATALOG,
  EVENT_TYPES,
  type EventEnvelope,
  type EventResource,
  type EventType,
  type NewEvent,
} from './catalog.ts';
export { createDeliveryLanes } from './deliveries/lane-handler.ts';
export { createSigner, makeSecret, type Signer, signDelivery } from './deliveries/signature.ts';
export { announceWritten, type CommittedEvent, EVENTS_TOPIC, emitEvent, emitEvents } from './emit.ts';

export {
  type EmittingValues,
  emittingSql,
  emittingValues,
  type PlannedEvent,
  rememberTrace,
  rememberTracesSql,
  type WrittenEvent,
} from './emit-queries.ts';
export { redactEvents } from './events/redact-events.ts';
export type { EventData } from './events/redact-queries.ts';
export { realtimeTokenRoutes } from './realtime-tokens/routes.ts';
export { mintRealtimeToken, openRealtimeToken, REALTIME_PATH, type RealtimeGrant } from './realtime-tokens/token.ts';
export { replayJob } from './replays/replay-job.ts';
export { eventRoutes, webhookEndpointRoutes } from './routes.ts';
export { eventSweeps, replaySweeps } from './sweeps.ts';
export { type CallEventFields, type CallEventType, callEventData } from './types/call-events.ts';
export { EVENT_VERSION } from './types/entry.ts';
export { failingEndpointJob } from './webhook-endpoints/failing-endpoints.ts';
export { IS_FAILING } from './webhook-endpoints/queries.ts';
export { secretContext } from './webhook-endpoints/rules.ts';
export { WebhookEndpoint } from './webhook-endpoints/schema.ts';
