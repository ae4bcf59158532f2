import { FORM_CHARS_MAX, SPEAKABLE } from '../../../http/schemas/forms.ts';
import { Closed, Id, Nullable, PageQuery, TenantQuery, Text, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, type TSchema, Type } from '../../../lib/type.ts';
import { ERROR_CHARS_MAX, HOLD_AUDIO_STATUSES, URL_CHARS_MAX } from '../hold-audio/rules.ts';
import { ListeningAnnouncement } from './listening-announcement.ts';
import { type RelaySettings, relayWith, type WantedRelaySettings, wantedRelayWith } from './relay-settings.ts';
import {
  BEHAVIORS_MAX,
  DAYS,
  DEFAULT_GREETING,
  GREETING_CHARS_MAX,
  HOLIDAYS_MAX,
  MENU_KEYS,
  MENU_TIMEOUT,
  MENU_TRIES,
  NAME_CHARS_MAX,
  PROMPT_CHARS_MAX,
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
  confirm: Type.Optional(
    Type.Boolean({
      description:
        'Targets with a number press 1 to take the call, so that their voicemail boxes do not; absent: false',
    }),
  ),
});
export type RingBehavior = Static<typeof RingBehavior>;

/** Speaks the prompt, and goes on with the option whose key the caller presses, or with `otherwise`. */
export type MenuBehavior = {
  readonly type: 'menu';
  readonly prompt: string;
  /** By the key: a digit, `*` or `#`. */
  readonly options: Readonly<Record<string, CallBehavior>>;
  readonly timeout_seconds: number;
  readonly tries: number;
  /** What follows if the caller has chosen no option in all tries. */
  readonly otherwise: CallBehavior;
};

/** An agent of text answers; the fallback follows if it fails, or if nobody has the customer after it. */
export type RelayBehavior = RelaySettings & { readonly type: 'relay'; readonly fallback: CallBehavior };

export type CallBehavior = RingBehavior | VoicemailBehavior | MenuBehavior | RelayBehavior;

/** The schema of a menu whose options have this one. Named, because a menu within a menu has a schema of its own. */
const menuWith = (component: string, behavior: TSchema) =>
  Type.Object(
    {
      type: Type.Literal('menu'),
      prompt: Type.String(),
      options: Type.Unsafe<MenuBehavior['options']>({ type: 'object', additionalProperties: behavior }),
      timeout_seconds: Type.Integer(),
      tries: Type.Integer(),
      otherwise: behavior,
    },
    { component },
  );

const MenuBehavior3 = menuWith('MenuBehaviorLevel3', Type.Union([RingBehavior, VoicemailBehavior]));
const RelayBehavior = Type.Unsafe<RelayBehavior>(
  relayWith(Type.Union([RingBehavior, VoicemailBehavior, MenuBehavior3])),
);
const MenuBehavior2 = menuWith(
  'MenuBehaviorLevel2',
  Type.Union([RingBehavior, VoicemailBehavior, MenuBehavior3, RelayBehavior]),
);
const MenuBehavior = Type.Unsafe<MenuBehavior>(
  menuWith('MenuBehavior', Type.Union([RingBehavior, VoicemailBehavior, MenuBehavior2, RelayBehavior])),
);

/** What happens to a caller. */
export const CallBehavior = Type.Union([RingBehavior, VoicemailBehavior, MenuBehavior, RelayBehavior]);

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
  open_behavior: Type.Union([RingBehavior, MenuBehavior, RelayBehavior]),
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
    description:
      'E.164 numbers, ids of web clients of the tenant, its telephones at a SIP engine (`sip_phone:front`), and `application`: the software of the platform',
  }),
  strategy: Type.Optional(Type.Enum([...RING_STRATEGIES], { default: 'simultaneous' })),
  timeout_seconds: Type.Optional(
    Type.Integer({ minimum: RING_TIMEOUT.min, maximum: RING_TIMEOUT.max, default: RING_TIMEOUT.default }),
  ),
  no_answer: Type.Optional(NullableObject(WantedVoicemail)),
  confirm: Type.Optional(
    Type.Boolean({
      description:
        'Targets with a number press 1 to take the call, so that their voicemail boxes do not; absent: false',
    }),
  ),
});
export type WantedRing = Static<typeof WantedRing>;

export type WantedMenu = {
  readonly type: 'menu';
  readonly prompt: string;
  readonly options: Readonly<Record<string, WantedBehavior>>;
  readonly timeout_seconds?: number;
  readonly tries?: number;
  readonly otherwise: WantedBehavior;
};
export type WantedRelay = WantedRelaySettings & { readonly type: 'relay'; readonly fallback?: WantedBehavior };
export type WantedBehavior = WantedRing | WantedVoicemail | WantedMenu | WantedRelay;

/** The schema of a behavior of one of these types. */
const oneOf = <Wanted>(...shapes: TSchema[]) =>
  Type.Unsafe<Wanted>({
    type: 'object',
    discriminator: { propertyName: 'type' },
    required: ['type'],
    oneOf: shapes,
  });

const wantedMenuWith = (component: string, behavior: TSchema) =>
  Closed(
    {
      type: Type.Literal('menu'),
      prompt: Type.String({ maxLength: PROMPT_CHARS_MAX, ...SPEAKABLE, description: 'Read out to the caller' }),
      options: Type.Unsafe<WantedMenu['options']>({
        type: 'object',
        description: `What follows each key. A config has at most ${BEHAVIORS_MAX} behaviors, those in menus included`,
        additionalProperties: behavior,
        minProperties: 1,
        maxProperties: MENU_KEYS.length,
        propertyNames: { maxLength: FORM_CHARS_MAX, pattern: `^[${MENU_KEYS}]$`, form: 'one of 0 to 9, * and #' },
      }),
      timeout_seconds: Type.Optional(
        Type.Integer({
          minimum: MENU_TIMEOUT.min,
          maximum: MENU_TIMEOUT.max,
          default: MENU_TIMEOUT.default,
          description: 'Seconds in which the caller chooses, from the end of the prompt',
        }),
      ),
      tries: Type.Optional(
        Type.Integer({
          minimum: MENU_TRIES.min,
          maximum: MENU_TRIES.max,
          default: MENU_TRIES.default,
          description: 'How often the prompt is spoken before `otherwise` follows',
        }),
      ),
      otherwise: behavior,
    },
    { component },
  );

const WantedMenu3 = wantedMenuWith('RequestedMenuLevel3', oneOf(WantedRing, WantedVoicemail));
const WantedRelay = wantedRelayWith(oneOf(WantedRing, WantedVoicemail, WantedMenu3));
const WantedMenu2 = wantedMenuWith('RequestedMenuLevel2', oneOf(WantedRing, WantedVoicemail, WantedMenu3, WantedRelay));
const WantedMenu = wantedMenuWith('RequestedMenu', oneOf(WantedRing, WantedVoicemail, WantedMenu2, WantedRelay));

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
  open_behavior: oneOf<WantedRing | WantedMenu | WantedRelay>(WantedRing, WantedMenu, WantedRelay),
  closed_behavior: Type.Optional(oneOf<WantedBehavior>(WantedRing, WantedVoicemail, WantedMenu, WantedRelay)),
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
