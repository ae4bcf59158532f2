import { Closed, Id, Nullable, NullableTimestamp, PageQuery, Text, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { EVENT_TYPES } from '../catalog.ts';
import {
  DESCRIPTION_CHARS_MAX,
  DISABLED_REASONS,
  ENABLED_EVENTS_MAX,
  ENDPOINT_STATUSES,
  URL_CHARS_MAX,
} from './rules.ts';

const fields = {
  id: Type.String(),
  object: Type.Literal('webhook_endpoint'),
  url: Type.String({ format: 'uri' }),
  enabled_events: Type.Union([Type.Array(Type.String(), { maxItems: ENABLED_EVENTS_MAX }), Type.Null()], {
    description: 'Null means all.',
  }),
  tenant_id: Type.Union([Type.String(), Type.Null()], {
    description: 'The tenant whose events it gets. Null for the events of all tenants and of the account.',
  }),
  description: Type.Union([Type.String(), Type.Null()]),
  status: Type.Enum(ENDPOINT_STATUSES),
  disabled_reason: Type.Union([Type.Enum(DISABLED_REASONS), Type.Null()]),
  failing_since: {
    ...NullableTimestamp,
    description: 'The first failure since the last delivery that it accepted. Null while it accepts deliveries.',
  },
  event_version: Type.String(),
  created_at: Timestamp,
};

export const WebhookEndpoint = Type.Object(fields);
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

export const WebhookEndpointWithSecret = Type.Object({
  ...fields,
  secret: Type.String({ description: 'Shown in this reply only.' }),
});
export type WebhookEndpointWithSecret = Static<typeof WebhookEndpointWithSecret>;

const Url = Text({
  maxLength: URL_CHARS_MAX,
  missingCode: 'url_required',
  errorCode: 'invalid_url',
  description: 'An https address on the public internet.',
});
/** The name of an event type; whether it exists is checked later. */
const EventType = Type.String({ maxLength: 100, lengthCode: 'unknown_event_type' });
const EnabledEvents = Nullable(Type.Array(EventType, { minItems: 1, maxItems: ENABLED_EVENTS_MAX }));
const Description = Nullable(Type.String({ maxLength: DESCRIPTION_CHARS_MAX }));

const TenantLimit = Nullable(
  Type.String({
    ...Id,
    description: 'Limits the endpoint to the events of one tenant. Null: the events of all tenants and of the account.',
  }),
);

export const CreateWebhookEndpoint = Closed({
  url: Url,
  enabled_events: Type.Optional(EnabledEvents),
  tenant_id: Type.Optional(TenantLimit),
  description: Type.Optional(Description),
});
export type CreateWebhookEndpoint = Static<typeof CreateWebhookEndpoint>;

export const UpdateWebhookEndpoint = Closed({
  url: Type.Optional(Url),
  enabled_events: Type.Optional(EnabledEvents),
  tenant_id: Type.Optional(TenantLimit),
  description: Type.Optional(Description),
  status: Type.Optional(Type.Enum(ENDPOINT_STATUSES)),
});
export type UpdateWebhookEndpoint = Static<typeof UpdateWebhookEndpoint>;

export const WebhookEndpointList = Closed(PageQuery);

export const RotateSecret = Closed({});

export const SendTestEvent = Closed({
  event_type: Type.Optional(Type.String({ ...EventType, default: 'message.received', examples: EVENT_TYPES })),
});
export type SendTestEvent = Static<typeof SendTestEvent>;

export const TestDelivery = Type.Object({
  delivered: Type.Boolean(),
  response_status: Type.Union([Type.Integer(), Type.Null()]),
  error: Type.Union([Type.String(), Type.Null()]),
});
export type TestDelivery = Static<typeof TestDelivery>;
