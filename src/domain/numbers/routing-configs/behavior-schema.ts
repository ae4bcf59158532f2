/** The behaviors of a call: their shapes in responses, and their shapes in requests. */
import { FORM_CHARS_MAX, SPEAKABLE } from '../../../http/schemas/forms.ts';
import { Closed, ID_CHARS_MAX } from '../../../http/schemas/schemas.ts';
import { type Static, type TSchema, Type } from '../../../lib/type.ts';
import { type RelaySettings, relayWith, type WantedRelaySettings, wantedRelayWith } from './relay-settings.ts';
import {
  BEHAVIORS_MAX,
  DEFAULT_GREETING,
  GREETING_CHARS_MAX,
  MENU_KEYS,
  MENU_TIMEOUT,
  MENU_TRIES,
  PROMPT_CHARS_MAX,
  RING_STRATEGIES,
  RING_TIMEOUT,
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
  targets: Type.Array(Type.String(), { maxItems: TARGETS_MAX }),
  strategy: Type.Enum([...RING_STRATEGIES]),
  timeout_seconds: Type.Integer(),
  no_answer: Type.Union([VoicemailBehavior, Type.Null()]),
  confirm: Type.Optional(
    Type.Boolean({
      description:
        'true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it. Absent: false.',
    }),
  ),
});
export type RingBehavior = Static<typeof RingBehavior>;

/** Speaks the prompt. Continues with the option for the caller's key press, or with `otherwise`. */
export type MenuBehavior = {
  readonly type: 'menu';
  readonly prompt: string;
  /** The behaviors by key: a digit, `*` or `#`. */
  readonly options: Readonly<Record<string, CallBehavior>>;
  readonly timeout_seconds: number;
  readonly tries: number;
  /** The next behavior if the caller has chosen no option in all tries. */
  readonly otherwise: CallBehavior;
};

/**
 * An agent of text answers. The fallback follows if the agent fails, or if no party takes over the customer after it.
 */
export type RelayBehavior = RelaySettings & { readonly type: 'relay'; readonly fallback: CallBehavior };

/** Lets the caller wait in a queue until one of its agents is free. */
export const QueueBehavior = Type.Object({ type: Type.Literal('queue'), queue_id: Type.String() });
export type QueueBehavior = Static<typeof QueueBehavior>;

export type CallBehavior = RingBehavior | VoicemailBehavior | MenuBehavior | RelayBehavior | QueueBehavior;

/**
 * Returns the schema of a menu whose options have the schema `behavior`. `component` distinguishes the schemas of
 * nested menus.
 */
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

const MenuBehavior3 = menuWith('MenuBehaviorLevel3', Type.Union([RingBehavior, VoicemailBehavior, QueueBehavior]));
export const RelayBehavior = Type.Unsafe<RelayBehavior>(
  relayWith(Type.Union([RingBehavior, VoicemailBehavior, MenuBehavior3, QueueBehavior])),
);
const MenuBehavior2 = menuWith(
  'MenuBehaviorLevel2',
  Type.Union([RingBehavior, VoicemailBehavior, MenuBehavior3, RelayBehavior, QueueBehavior]),
);
export const MenuBehavior = Type.Unsafe<MenuBehavior>(
  menuWith('MenuBehavior', Type.Union([RingBehavior, VoicemailBehavior, MenuBehavior2, RelayBehavior, QueueBehavior])),
);

/** The handling of a caller. */
export const CallBehavior = Type.Union([RingBehavior, VoicemailBehavior, MenuBehavior, RelayBehavior, QueueBehavior]);

/** An object or null. Its errors name the invalid field in the object; the errors of a union do not. */
export const NullableObject = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: ['object', 'null'] });

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
        'true: the person who answers on a number must press 1 to take the call, so a voicemail box cannot take it. Absent: false.',
    }),
  ),
});
export type WantedRing = Static<typeof WantedRing>;

const WantedQueue = Closed({
  type: Type.Literal('queue'),
  queue_id: Type.String({ minLength: 1, maxLength: ID_CHARS_MAX, description: 'A queue of the tenant' }),
});
export type WantedQueue = Static<typeof WantedQueue>;

export type WantedMenu = {
  readonly type: 'menu';
  readonly prompt: string;
  readonly options: Readonly<Record<string, WantedBehavior>>;
  readonly timeout_seconds?: number;
  readonly tries?: number;
  readonly otherwise: WantedBehavior;
};
export type WantedRelay = WantedRelaySettings & { readonly type: 'relay'; readonly fallback?: WantedBehavior };
export type WantedBehavior = WantedRing | WantedVoicemail | WantedMenu | WantedRelay | WantedQueue;

/** The schema of a behavior of one of the given types. */
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
          description: 'Seconds that the caller has to choose, from the end of the prompt',
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

const WantedMenu3 = wantedMenuWith('RequestedMenuLevel3', oneOf(WantedRing, WantedVoicemail, WantedQueue));
const WantedRelay = wantedRelayWith(oneOf(WantedRing, WantedVoicemail, WantedMenu3, WantedQueue));
const WantedMenu2 = wantedMenuWith(
  'RequestedMenuLevel2',
  oneOf(WantedRing, WantedVoicemail, WantedMenu3, WantedRelay, WantedQueue),
);
const WantedMenu = wantedMenuWith(
  'RequestedMenu',
  oneOf(WantedRing, WantedVoicemail, WantedMenu2, WantedRelay, WantedQueue),
);

/** The behaviors that are allowed within business hours. */
export const WantedOpenBehavior = oneOf<WantedRing | WantedMenu | WantedRelay | WantedQueue>(
  ...[WantedRing, WantedMenu, WantedRelay, WantedQueue],
);
/** Any behavior. */
export const WantedBehavior = oneOf<WantedBehavior>(
  ...[WantedRing, WantedVoicemail, WantedMenu, WantedRelay, WantedQueue],
);
