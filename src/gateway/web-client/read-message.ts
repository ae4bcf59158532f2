import { emergencyNumberOf } from '../../lib/emergency.ts';
import type { ClientMessage } from './protocol.ts';
import type { Asked } from './refusal.ts';

/** Why something is no message at all, in words for the close frame. */
export type Malformed = { readonly malformed: string };

/** A message that cannot be carried out as it is: what is wrong with it, as an error of the protocol, and whose it is. */
export type Unfit = {
  readonly unfit: { readonly code: 'missing_fields' | 'invalid_body'; readonly message: string };
  readonly asked: Asked;
};

/** Says what is wrong with the value of a field, if something is. */
type Check = (value: unknown) => string | undefined;

const KEYS = /^[0-9A-D*#]{1,32}$/;
const TEXT_CHARS_MAX = 4_000;
/** A type that nobody knows is named in the answer if it looks like one. */
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

/**
 * The message in a text, or what is wrong with it. Fields that it does not know are passed over. A type that it does not
 * know is unfit and no more, so that clients of tomorrow can talk to it.
 */
export function readMessage(json: string): ClientMessage | Unfit | Malformed {
  const value = parse(json);
  if (value === undefined) return { malformed: 'not a JSON object' };
  const { type } = value;
  const wrongType = text(type);
  if (wrongType !== undefined) return unfit(value, 'type', wrongType);
  if (!isKnown(type)) {
    const name = NAMED_TYPE.test(String(type)) ? ` "${type}"` : '';
    return { unfit: { code: 'invalid_body', message: `Unknown type${name}.` }, asked: askedIn(value) };
  }
  if (type === 'place') {
    const help = emergencyNumberOf(value['to']);
    if (help !== undefined) return callForHelp(help, value);
  }
  const message: Record<string, unknown> = { type };
  for (const [name, check] of Object.entries(FIELDS[type])) {
    const problem = check(value[name]);
    if (problem !== undefined) return unfit(value, name, problem);
    if (value[name] !== undefined) message[name] = value[name];
  }
  return message as ClientMessage;
}

/** Nothing that is wrong with its other fields stops a call for help: they are left out. */
function callForHelp(to: string, { from, ref }: Record<string, unknown>): ClientMessage {
  return { type: 'place', to, ...(isText(from) && { from }), ...(isText(ref) && { ref }) };
}

function unfit(value: Record<string, unknown>, field: string, problem: string): Unfit {
  const code = value[field] === undefined ? 'missing_fields' : 'invalid_body';
  return { unfit: { code, message: `"${field}" ${problem}.` }, asked: askedIn(value) };
}

function askedIn({ type, call_id, ref }: Record<string, unknown>): Asked {
  const request = typeof type === 'string' && NAMED_TYPE.test(type) ? type : null;
  return { request, ...(isText(call_id) && { call_id }), ...(isText(ref) && { ref }) };
}

function isText(value: unknown): value is string {
  return text(value) === undefined;
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
