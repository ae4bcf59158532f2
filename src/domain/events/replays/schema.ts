import { Closed, Nullable, NullableTimestamp, PageQuery, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { EVENT_TYPES_MAX, REPLAY_STATUSES, RETRIES_COUNTED_MAX } from './rules.ts';

export const WebhookReplay = Type.Object({
  id: Type.String(),
  object: Type.Literal('webhook_replay'),
  endpoint_id: Type.String(),
  start: Timestamp,
  end: Timestamp,
  event_types: Type.Union([Type.Array(Type.String(), { maxItems: EVENT_TYPES_MAX }), Type.Null()], {
    description: 'Null means all.',
  }),
  only_missed: Type.Boolean(),
  retries_failed: Type.Boolean({
    description: 'True if it tries failed deliveries again, in place of making new ones for events.',
  }),
  status: Type.Enum(REPLAY_STATUSES),
  delivery_count: Type.Integer({ description: 'Deliveries made, or tried again, so far.' }),
  total_count: Nullable(
    Type.Integer({
      description: `Failed deliveries at its start, counted up to ${RETRIES_COUNTED_MAX}. Null for a replay of events.`,
    }),
  ),
  created_at: Timestamp,
  ended_at: NullableTimestamp,
});
export type WebhookReplay = Static<typeof WebhookReplay>;

const moment = { maxLength: 40 } as const;

export const CreateReplay = Closed({
  start: Type.String({
    ...moment,
    errorCode: 'invalid_start',
    description: 'RFC 3339 or YYYY-MM-DD; included. Events are kept for 30 days.',
  }),
  end: Type.Optional(
    Type.String({
      ...moment,
      errorCode: 'invalid_end',
      description: 'RFC 3339 or YYYY-MM-DD; excluded. Default: now.',
    }),
  ),
  event_types: Type.Optional(
    Nullable(
      Type.Array(Type.String({ maxLength: 100, lengthCode: 'unknown_event_type' }), {
        minItems: 1,
        maxItems: EVENT_TYPES_MAX,
        description: 'Default: the types that the endpoint is registered for.',
      }),
    ),
  ),
  only_missed: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'True leaves out events that the endpoint has accepted, and events that still wait for it.',
    }),
  ),
});
export type CreateReplay = Static<typeof CreateReplay>;

export const RetryFailed = Closed({});
export const ReplayList = Closed(PageQuery);
export const CancelReplay = Closed({});
