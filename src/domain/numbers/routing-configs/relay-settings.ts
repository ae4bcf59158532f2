import { FORM_CHARS_MAX, SPEAKABLE } from '../../../http/schemas/forms.ts';
import { Closed, Metadata, Nullable } from '../../../http/schemas/schemas.ts';
import { type Static, type TSchema, Type } from '../../../lib/type.ts';
import { checkSocketUrl, URL_CHARS_MAX } from '../../../outbound/address-guard.ts';

/** The value of `connect_to` for a click-to-call whose agent is an agent of text. */
export const RELAY = 'relay';

const WELCOME_CHARS_MAX = 1_000;
const VOICE_CHARS_MAX = 64;
/** The forms of BCP 47 that recognisers and voices distinguish. */
const LANGUAGE = '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$';

const SILENCE_MS = { min: 200, max: 3_000, usual: 700 } as const;

/** The fields of a relay in requests. */
const RELAY_FIELDS = {
  url: Type.String({
    maxLength: URL_CHARS_MAX,
    errorCode: 'invalid_url',
    description: 'A wss address on the public internet that the gateway connects to',
  }),
  welcome_text: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: WELCOME_CHARS_MAX,
        ...SPEAKABLE,
        description: 'Spoken to the customer once the agent is connected. Null: the agent speaks first',
      }),
    ),
  ),
  language: Type.Optional(
    Type.String({
      maxLength: FORM_CHARS_MAX,
      pattern: LANGUAGE,
      form: 'a language tag such as en-US',
      default: 'en-US',
      description: 'The language that the customer and the agent speak',
    }),
  ),
  voice: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: VOICE_CHARS_MAX,
        description: "A voice of the operator's voice server. Null: that of the language, or the usual one",
      }),
    ),
  ),
  interruptible: Type.Optional(
    Type.Boolean({ default: true, description: 'Whether the customer interrupts the agent by speaking or by a key' }),
  ),
  dtmf: Type.Optional(
    Type.Boolean({ default: true, description: 'Whether the agent is sent the keys of the customer' }),
  ),
  silence_ms: Type.Optional(
    Type.Integer({
      minimum: SILENCE_MS.min,
      maximum: SILENCE_MS.max,
      default: SILENCE_MS.usual,
      description: 'A pause of this many milliseconds ends what the customer says. A shorter one answers sooner',
    }),
  ),
  partial_prompts: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether the agent is sent words before the recogniser has finished' }),
  ),
  parameters: Type.Optional(Metadata),
};

/** A relay in requests. */
export const WantedRelaySettings = Closed(RELAY_FIELDS);
export type WantedRelaySettings = Static<typeof WantedRelaySettings>;

/** The fields of a relay in replies. */
export const RELAY_SETTINGS = {
  url: Type.String(),
  welcome_text: Nullable(Type.String()),
  language: Type.String(),
  voice: Nullable(Type.String()),
  interruptible: Type.Boolean(),
  dtmf: Type.Boolean(),
  silence_ms: Type.Integer({ description: 'In milliseconds' }),
  partial_prompts: Type.Boolean(),
  parameters: Metadata,
};
const RelaySettings = Type.Object(RELAY_SETTINGS);
export type RelaySettings = Static<typeof RelaySettings>;

/** Returns the schema of a relay as a behavior. If the agent fails, the fallback follows. */
export const relayWith = (fallback: TSchema) =>
  Type.Object({ type: Type.Literal('relay'), ...RELAY_SETTINGS, fallback }, { component: 'RelayBehavior' });

/** Returns the schema of a relay in a routing config that is requested. */
export const wantedRelayWith = (fallback: TSchema) =>
  Closed(
    { type: Type.Literal('relay'), ...RELAY_FIELDS, fallback: Type.Optional(fallback) },
    { component: 'RequestedRelay' },
  );

/** Returns the settings with the defaults of absent fields. */
export function fillRelay(wanted: WantedRelaySettings): RelaySettings {
  const { url, welcome_text = null, language = 'en-US', voice = null, parameters = {} } = wanted;
  return {
    url,
    welcome_text,
    language,
    voice,
    interruptible: wanted.interruptible ?? true,
    dtmf: wanted.dtmf ?? true,
    silence_ms: wanted.silence_ms ?? SILENCE_MS.usual,
    partial_prompts: wanted.partial_prompts ?? false,
    parameters,
  };
}

/** Returns the error of the address of an agent; undefined if the gateway may connect to it. */
export function wrongRelayUrl(url: string, { allowLocalWs }: { readonly allowLocalWs: boolean }): string | undefined {
  const check = checkSocketUrl(url, { allowLocalWs });
  return check.ok ? undefined : check.message;
}
