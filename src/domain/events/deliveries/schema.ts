import { Closed, Id, NullableTimestamp, PageQuery, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { ATTEMPTS_SHOWN_MAX, DELIVERY_STATUSES, type HeaderTexts } from './rules.ts';

const HEADERS = { type: 'object', additionalProperties: { type: 'string' } } as const;

const DeliveryAttempt = Type.Object({
  at: Timestamp,
  url: Type.Union([Type.String(), Type.Null()], { description: 'The address that was called.' }),
  request_headers: Type.Unsafe<HeaderTexts>({
    ...HEADERS,
    description: 'The headers of the request, by lower-case name. The signatures are there unless it was accepted.',
  }),
  response_status: Type.Union([Type.Integer(), Type.Null()]),
  duration_ms: Type.Integer(),
  error: Type.Union([Type.String(), Type.Null()]),
  response_headers: Type.Union([Type.Unsafe<HeaderTexts>(HEADERS), Type.Null()], {
    description:
      'Headers of the reply that say who answered and why, such as `server`, `retry-after` and `x-request-id`.',
  }),
  response_body: Type.Union([Type.String(), Type.Null()], { description: 'Its first kilobyte.' }),
});

const fields = {
  id: Type.String(),
  object: Type.Literal('webhook_delivery'),
  event_id: Type.String(),
  event_type: Type.String(),
  status: Type.Enum(DELIVERY_STATUSES),
  next_attempt_at: NullableTimestamp,
  attempts: Type.Array(DeliveryAttempt, {
    maxItems: ATTEMPTS_SHOWN_MAX,
    description: 'The latest, oldest first. A retry begins a new round of attempts.',
  }),
};

export const WebhookDelivery = Type.Object(fields);
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const WebhookDeliveryDetail = Type.Object({
  ...fields,
  request_body: Type.String({ description: 'The bytes of the event as they are sent, the same at every attempt.' }),
});
export type WebhookDeliveryDetail = Static<typeof WebhookDeliveryDetail>;

export const DeliveryList = Closed({
  ...PageQuery,
  status: Type.Optional(Type.Enum(DELIVERY_STATUSES, { description: 'Only those with this status.' })),
  event_id: Type.Optional(Id),
});

export const RetryDelivery = Closed({});
