import type { ClientMessage } from './protocol.ts';

/** What is wrong with a message, in words for the close frame. */
export type Malformed = { readonly malformed: string };

/** Says what is wrong with the value of a field, if something is. */
type Check = (value: unknown) => string | undefined;

const KEYS = /^[0-9A-D*#]{1,32}$/;
const TEXT_CHARS_MAX = 4_000;
/** A type that nobody knows is named in the reason for closing, which has 123 bytes at most (RFC 6455, 5.5). */
const NAMED_TYPE = /^[\w-]{1,40}$/;

const text: Check = (value) => {
  if (value === undefined) return 'is missing';
  if (typeof value !== 'string') return 'is not a text';
  if (value === '') return 'is empty';
  if (value.length > TEXT_CHARS_MAX) return `is longer than ${TEXT_CHARS_MAX} characters`;
  return value.includes('\u0000') ? 'holds NUL' : undefined;
};
const optionalText: Check = (value) => (value === undefined ? undefined : text(value));
const keys: Check = (value) =>
  text(value) ?? (KEYS.test(value as string) ? undefined : 'is not 1 to 32 of 0-9 A-D * #');
const flag: Check = (value) => {
  if (value === undefined) return 'is missing';
  return typeof value === 'boolean' ? undefined : 'is not true or false';
};

const ofCall = { call_id: text };

const FIELDS: Readonly<Record<ClientMessage['type'], Readonly<Record<string, Check>>>> = {
  register: { token: text },
  answer: ofCall,
  decline: ofCall,
  hang_up: ofCall,
  media: ofCall,
  place: { to: text, from: optionalText, ref: optionalText },
  mute: { ...ofCall, on: flag },
  hold: { ...ofCall, on: flag },
  dtmf: { ...ofCall, digits: keys },
};

/** The message in a text, or what is wrong with it. Fields that it does not know are passed over. */
export function readMessage(json: string): ClientMessage | Malformed {
  const value = parse(json);
  if (value === undefined) return { malformed: 'not a JSON object' };
  const { type } = value;
  const wrongType = text(type);
  if (wrongType !== undefined) return { malformed: `type ${wrongType}` };
  if (!isKnown(type)) return { malformed: NAMED_TYPE.test(String(type)) ? `unknown type "${type}"` : 'unknown type' };
  const message: Record<string, unknown> = { type };
  for (const [name, check] of Object.entries(FIELDS[type])) {
    const problem = check(value[name]);
    if (problem !== undefined) return { malformed: `${type}: ${name} ${problem}` };
    if (value[name] !== undefined) message[name] = value[name];
  }
  return message as ClientMessage;
}

function isKnown(type: unknown): type is ClientMessage['type'] {
  return Object.hasOwn(FIELDS, type as string);
}

function parse(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
