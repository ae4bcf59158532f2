import { type Static, type TSchema, Type } from 'typebox';
import { FORM_CHARS_MAX, SPEAKABLE } from '../../../http/schemas/forms.ts';
import { Closed, Id, Nullable, PageQuery, TenantQuery, Text, Timestamp } from '../../../http/schemas/schemas.ts';
import {
  DAYS,
  DEFAULT_GREETING,
  GREETING_CHARS_MAX,
  HOLIDAYS_MAX,
  NAME_CHARS_MAX,
  RING_STRATEGIES,
  RING_TIMEOUT,
  SCHEDULE_ENTRIES_MAX,
  TARGETS_MAX,
} from './rules.ts';

/** Voicemail: plays a greeting and a tone, then records the caller's message. */
export const VoicemailBehavior = Type.Object({
  type: Type.Literal('voicemail'),
  greeting_text: Type.String(),
  transcribe: Type.Boolean(),
});
export type VoicemailBehavior = Static<typeof VoicemailBehavior>;

/** The targets that a call rings, the strategy, and the behavior if no target answers: null hangs up. */
export const RingBehavior = Type.Object({
  type: Type.Literal('ring'),
  targets: Type.Array(Type.String()),
  strategy: Type.Enum([...RING_STRATEGIES]),
  timeout_seconds: Type.Integer(),
  no_answer: Type.Union([VoicemailBehavior, Type.Null()]),
});
export type RingBehavior = Static<typeof RingBehavior>;

export const CallBehavior = Type.Union([RingBehavior, VoicemailBehavior]);
export type CallBehavior = Static<typeof CallBehavior>;

/** Business hours as they were given: an absent field stays absent. */
export const BusinessHours = Type.Object({
  schedule: Type.Array(
    Type.Object({ days: Type.Array(Type.Enum([...DAYS])), open: Type.String(), close: Type.String() }),
  ),
  holidays: Type.Optional(
    Type.Array(
      Type.Object({
        date: Type.String(),
        closed: Type.Optional(Type.Boolean()),
        open: Type.Optional(Nullable(Type.String())),
        close: Type.Optional(Nullable(Type.String())),
      }),
    ),
  ),
});
export type BusinessHours = Static<typeof BusinessHours>;

export const RoutingConfig = Type.Object({
  id: Type.String(),
  object: Type.Literal('routing_config'),
  tenant_id: Type.String(),
  name: Type.String(),
  business_hours: Type.Union([BusinessHours, Type.Null()]),
  open_behavior: RingBehavior,
  closed_behavior: CallBehavior,
  recording: Type.Object({ enabled: Type.Boolean(), consent_announcement: Type.Boolean() }),
  created_at: Timestamp,
});
export type RoutingConfig = Static<typeof RoutingConfig>;

/** An object or null, in a form whose errors name the invalid field in the object. A union's errors do not. */
const NullableObject = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: ['object', 'null'] });

const OpeningTime = Type.String({
  maxLength: FORM_CHARS_MAX,
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  form: 'HH:MM, 00:00 to 23:59',
  description: 'Local time',
});
const ClosingTime = Type.String({
  maxLength: FORM_CHARS_MAX,
  pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
  form: 'HH:MM, 00:00 to 24:00',
  description: 'Local time; a time at or before the opening time is on the next day',
});

const WantedVoicemail = Closed({
  type: Type.Literal('voicemail'),
  greeting_text: Type.Optional(
    Type.String({
      maxLength: GREETING_CHARS_MAX,
      ...SPEAKABLE,
      default: DEFAULT_GREETING,
      description: 'Read out to the caller',
    }),
  ),
  transcribe: Type.Optional(Type.Boolean({ default: true, description: 'Whether the message is also transcribed' })),
});
export type WantedVoicemail = Static<typeof WantedVoicemail>;

const WantedRing = Closed({
  type: Type.Literal('ring'),
  targets: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    minItems: 1,
    maxItems: TARGETS_MAX,
    uniqueItems: true,
    description: 'E.164 numbers, or ids of web clients of the tenant',
  }),
  strategy: Type.Optional(Type.Enum([...RING_STRATEGIES], { default: 'simultaneous' })),
  timeout_seconds: Type.Optional(
    Type.Integer({ minimum: RING_TIMEOUT.min, maximum: RING_TIMEOUT.max, default: RING_TIMEOUT.default }),
  ),
  no_answer: Type.Optional(NullableObject(WantedVoicemail)),
});
export type WantedRing = Static<typeof WantedRing>;

const WantedBehavior = Type.Unsafe<WantedRing | WantedVoicemail>({
  type: 'object',
  discriminator: { propertyName: 'type' },
  required: ['type'],
  oneOf: [WantedRing, WantedVoicemail],
});

const WantedHours = Closed({
  schedule: Type.Array(
    Closed({
      days: Type.Array(Type.Enum([...DAYS]), { minItems: 1, maxItems: DAYS.length, uniqueItems: true }),
      open: OpeningTime,
      close: ClosingTime,
    }),
    { maxItems: SCHEDULE_ENTRIES_MAX },
  ),
  holidays: Type.Optional(
    Type.Array(
      Closed({
        date: Type.String({ format: 'date', maxLength: FORM_CHARS_MAX }),
        closed: Type.Optional(Type.Boolean()),
        open: Type.Optional(Nullable(OpeningTime)),
        close: Type.Optional(Nullable(ClosingTime)),
      }),
      { maxItems: HOLIDAYS_MAX, description: 'Dates that replace the weekly schedule: closed, or open at other hours' },
    ),
  ),
});

export const CreateRoutingConfig = Closed({
  tenant_id: Id,
  name: Text({ maxLength: NAME_CHARS_MAX }),
  business_hours: Type.Optional(NullableObject(WantedHours)),
  open_behavior: WantedRing,
  closed_behavior: Type.Optional(WantedBehavior),
  recording: Type.Optional(
    Closed({
      enabled: Type.Optional(Type.Boolean({ default: false })),
      consent_announcement: Type.Optional(Type.Boolean({ default: true })),
    }),
  ),
});
export type CreateRoutingConfig = Static<typeof CreateRoutingConfig>;

export const RoutingConfigList = Closed({ ...PageQuery, ...TenantQuery });

export const EvaluateRoutingConfig = Closed({
  at: Type.Optional(
    Type.String({ format: 'date-time', maxLength: 40, description: 'RFC 3339; the present by default' }),
  ),
});
export type EvaluateRoutingConfig = Static<typeof EvaluateRoutingConfig>;

/** How a call that arrives at a moment would be routed. */
export const RoutingEvaluation = Type.Object({
  at: Timestamp,
  open: Type.Boolean(),
  behavior: CallBehavior,
  targets: Type.Array(Type.String(), { description: 'Targets that would ring, in order; empty if voicemail answers' }),
});
export type RoutingEvaluation = Static<typeof RoutingEvaluation>;
