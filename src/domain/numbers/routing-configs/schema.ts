import { FORM_CHARS_MAX } from '../../../http/schemas/forms.ts';
import { Closed, Id, Nullable, PageQuery, TenantQuery, Text, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { ERROR_CHARS_MAX, HOLD_AUDIO_STATUSES, URL_CHARS_MAX } from '../hold-audio/rules.ts';
import {
  CallBehavior,
  MenuBehavior,
  NullableObject,
  QueueBehavior,
  RelayBehavior,
  RingBehavior,
  WantedBehavior,
  WantedOpenBehavior,
} from './behavior-schema.ts';
import { ListeningAnnouncement } from './listening-announcement.ts';
import { DAYS, HOLIDAYS_MAX, NAME_CHARS_MAX, SCHEDULE_ENTRIES_MAX } from './rules.ts';

/** Business hours as they were given: an absent field stays absent. */
export const BusinessHours = Type.Object({
  schedule: Type.Array(
    Type.Object({
      days: Type.Array(Type.Enum([...DAYS]), { maxItems: DAYS.length }),
      open: Type.String(),
      close: Type.String(),
    }),
    { maxItems: SCHEDULE_ENTRIES_MAX },
  ),
  holidays: Type.Optional(
    Type.Array(
      Type.Object({
        date: Type.String(),
        closed: Type.Optional(Type.Boolean()),
        open: Type.Optional(Nullable(Type.String())),
        close: Type.Optional(Nullable(Type.String())),
      }),
      { maxItems: HOLIDAYS_MAX },
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
  open_behavior: Type.Union([RingBehavior, MenuBehavior, RelayBehavior, QueueBehavior]),
  closed_behavior: CallBehavior,
  recording: Type.Object({ enabled: Type.Boolean(), consent_announcement: Type.Boolean() }),
  listening_announcement: Nullable(Type.String()),
  hold_audio_url: Nullable(Type.String()),
  hold_audio_status: Nullable(
    Type.Enum([...HOLD_AUDIO_STATUSES], { description: 'Until it is `ready`, the built-in pattern plays' }),
  ),
  hold_audio_error: Nullable(Type.String({ description: 'Why it is `failed`' })),
  created_at: Timestamp,
});
export type RoutingConfig = Static<typeof RoutingConfig>;

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

const IGNORED = 'Ignored, so that a config as it is returned is valid in a request';

export const CreateRoutingConfig = Closed({
  tenant_id: Id,
  name: Text({ maxLength: NAME_CHARS_MAX }),
  business_hours: Type.Optional(NullableObject(WantedHours)),
  open_behavior: WantedOpenBehavior,
  closed_behavior: Type.Optional(WantedBehavior),
  recording: Type.Optional(
    Closed({
      enabled: Type.Optional(Type.Boolean({ default: false })),
      consent_announcement: Type.Optional(Type.Boolean({ default: true })),
    }),
  ),
  listening_announcement: Type.Optional(ListeningAnnouncement),
  hold_audio_url: Type.Optional(
    Nullable(
      Type.String({
        format: 'uri',
        maxLength: URL_CHARS_MAX,
        description: 'WAV or MP3 over https, at most 10 MB: what callers hear on hold. Null: a quiet pattern',
      }),
    ),
  ),
  hold_audio_status: Type.Optional(Nullable(Type.Enum([...HOLD_AUDIO_STATUSES], { description: IGNORED }))),
  hold_audio_error: Type.Optional(Nullable(Type.String({ maxLength: ERROR_CHARS_MAX, description: IGNORED }))),
});
export type CreateRoutingConfig = Static<typeof CreateRoutingConfig>;

export const RoutingConfigList = Closed({ ...PageQuery, ...TenantQuery });

export const RoutingConfigMoment = Closed({
  at: Type.Optional(
    Type.String({
      format: 'date-time',
      maxLength: 40,
      description: 'RFC 3339: returns the config as it was at this moment. The present by default',
    }),
  ),
});
