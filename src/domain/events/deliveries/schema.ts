import { type Static, Type } from 'typebox';
import { Closed, Id, NullableTimestamp, PageQuery, Timestamp } from '../../../http/schemas/schemas.ts';
import { DELIVERY_STATUSES } from './rules.ts';

const DeliveryAttempt = Type.Object({
  at: Timestamp,
  response_status: Type.Union([Type.Integer(), Type.Null()]),
  duration_ms: Type.Integer(),
  error: Type.Union([Type.String(), Type.Null()]),
  response_body: Type.Union([Type.String(), Type.Null()], { description: 'Its first kilobyte.' }),
});

export const WebhookDelivery = Type.Object({
  id: Type.String(),
  object: Type.Literal('webhook_delivery'),
  event_id: Type.String(),
  event_type: Type.String(),
  status: Type.Enum(DELIVERY_STATUSES),
  next_attempt_at: NullableTimestamp,
  attempts: Type.Array(DeliveryAttempt),
});
export type WebhookDelivery = Static<typeof WebhookDelivery>;

export const DeliveryList = Closed({
  ...PageQuery,
  status: Type.Optional(Type.Enum(DELIVERY_STATUSES, { description: 'Only those with this status.' })),
  event_id: Type.Optional(Id),
});

export const RetryDelivery = Closed({});
