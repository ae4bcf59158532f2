import { MEDIA_MAX, OTHER_RECIPIENTS_MAX } from '../../../carriers/ports/messaging.ts';
import {
  CheckError,
  Closed,
  FilterId,
  FilterParty,
  Id,
  Metadata,
  NullableTimestamp,
  PageQuery,
  RangeQuery,
  READ_CHARS_MAX,
  TenantQuery,
  Text,
  Timestamp,
} from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { Variables } from '../templates/schema.ts';
import { BODY_CHARS_MAX, MESSAGE_DIRECTIONS, MESSAGE_STATES } from './rules.ts';
import { ENCODINGS } from './segments.ts';

export const Media = Type.Object({ url: Type.String(), content_type: Type.Union([Type.String(), Type.Null()]) });
export type Media = Static<typeof Media>;

const ErrorDetail = Type.Object({
  carrier_code: Type.String({ description: "The carrier's code of the error" }),
  title: Type.String({ description: "The carrier's title of the error" }),
});

export const Message = Type.Object({
  id: Type.String(),
  object: Type.Literal('message'),
  tenant_id: Type.String(),
  conversation_id: Type.Union([Type.String(), Type.Null()], {
    description: 'The conversation of the number and the other party; null for a text from a withheld number',
  }),
  direction: Type.Enum(MESSAGE_DIRECTIONS),
  from: Type.String({ description: 'E.164; of an inbound text also a short code or "anonymous"' }),
  to: Type.String(),
  group: Type.Boolean({ description: 'True for an inbound text to several people' }),
  other_recipients: Type.Array(Type.String(), {
    maxItems: OTHER_RECIPIENTS_MAX,
    description: 'Of a group text: who else it was sent to, E.164 or a short code',
  }),
  body: Type.String(),
  media: Type.Array(Media, { maxItems: MEDIA_MAX }),
  redacted_at: Type.Unsafe<Date | null>({
    ...NullableTimestamp,
    description: 'The time when its body and media were deleted',
  }),
  status: Type.Enum(MESSAGE_STATES),
  error_code: Type.Union([Type.String(), Type.Null()]),
  error_detail: Type.Union([ErrorDetail, Type.Null()]),
  segments: Type.Integer(),
  metadata: Metadata,
  send_at: Type.Unsafe<Date | null>({ ...NullableTimestamp, description: 'The time that it was scheduled for' }),
  created_at: Timestamp,
  // No status comes twice.
  status_history: Type.Array(Type.Object({ status: Type.String(), at: Timestamp }), {
    maxItems: MESSAGE_STATES.length,
  }),
});
export type Message = Static<typeof Message>;

/** The outcome of an attempt to hand a text to its carrier. */
const ATTEMPT_OUTCOMES = ['accepted', 'rejected', 'unavailable', 'unknown'] as const;

export const MessageAttempt = Type.Object({
  at: Timestamp,
  outcome: Type.Enum(ATTEMPT_OUTCOMES),
  reason: Type.Union([Type.String(), Type.Null()], {
    description:
      'Of `rejected` the error code of the text; of `unavailable` why: `unreachable`, `account` (the account at the ' +
      'carrier does not allow it), `disabled` (the connection), or `not_now`; of `accepted` `confirmed_later` after ' +
      'an attempt whose answer was lost',
  }),
  error_detail: Type.Union([ErrorDetail, Type.Null()]),
});
export type MessageAttempt = Static<typeof MessageAttempt>;

/** Most attempts that are stored of a text: more than the retries allow, also with runs that were killed. */
export const ATTEMPTS_MAX = 60;
export const MessageAttempts = Type.Object({ data: Type.Array(MessageAttempt, { maxItems: ATTEMPTS_MAX }) });

/** A message to send. `checkDraft` does the checks that need no database, in the documented order of errors. */
export const SendMessage = Closed({
  from: Type.String({ ...Id, description: 'A number of yours: its id (num_…) or its E.164 form' }),
  to: Text({ maxLength: 100, errorCode: 'invalid_to', description: 'E.164' }),
  body: Type.Optional(
    Type.String({
      maxLength: READ_CHARS_MAX,
      lengthCode: 'body_too_long',
      description: `At most ${BODY_CHARS_MAX} characters`,
    }),
  ),
  media_urls: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 2048, format: 'uri' }), { maxItems: MEDIA_MAX }),
  ),
  template_id: Type.Optional(Type.String({ ...Id, description: 'The template that makes the body, instead of body' })),
  variables: Type.Optional(Variables),
  send_at: Type.Optional(
    Type.String({
      maxLength: 40,
      errorCode: 'invalid_send_at',
      description: 'RFC 3339, from 1 minute to 30 days ahead: the text waits until then',
    }),
  ),
  respect_quiet_hours: Type.Optional(
    Type.Boolean({ description: 'In the quiet hours of the tenant the text waits for their end' }),
  ),
  metadata: Type.Optional(Metadata),
});
export type SendMessage = Static<typeof SendMessage>;

export const SendCheck = Type.Object({
  accepted: Type.Boolean(),
  segments: Type.Integer(),
  encoding: Type.Enum(ENCODINGS),
  send_at: Type.Unsafe<Date | null>({ ...NullableTimestamp, description: 'null: it would be sent at once' }),
  error: CheckError,
});
export type SendCheck = Static<typeof SendCheck>;

export const MessageList = Closed({
  ...PageQuery,
  ...TenantQuery,
  conversation_id: FilterId('conversation_not_found'),
  direction: Type.Optional(Type.Enum(MESSAGE_DIRECTIONS, { description: 'Only those of this direction.' })),
  from: FilterParty,
  to: FilterParty,
  status: Type.Optional(Type.Enum(MESSAGE_STATES, { description: 'Only those with this status.' })),
  ...RangeQuery,
});
export type MessageList = Static<typeof MessageList>;
