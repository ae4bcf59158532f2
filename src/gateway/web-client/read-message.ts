import { emergencyNumberOf } from '../../lib/phone/emergency.ts';
import type { Echo } from './errors.ts';
import type { ClientMessage } from './protocol.ts';

/** The reason why a text is not a message. It is the reason of the close frame. */
export type Malformed = { readonly malformed: string };

/** A message that cannot be carried out, with the problem as an error of the protocol. */
export type Invalid = {
  readonly invalid: { readonly code: 'missing_fields' | 'invalid_body'; readonly message: string };
  readonly echo: Echo;
};

/** Returns the problem with the value of a field; undefined if it is valid. */
type Check = (value: unknown) => string | undefined;

const DIGITS = /^[0-9A-D*#]{1,32}$/;
const TEXT_CHARS_MAX = 4_000;
const ANNOUNCEMENT_CHARS_MAX = 500;
/** The answer repeats an unknown type that has this form. */
const NAMED_TYPE = /^[\w-]{1,40}$/;

const text: Check = (value) => {
  if (value === undefined) return 'is missing';
  if (typeof value !== 'string') return 'is not a text';
  if (value === '') return 'is empty';
  if (value.length > TEXT_CHARS_MAX) return `is longer than ${TEXT_CHARS_MAX} characters`;
  return value.includes('\u0000') ? 'holds NUL' : undefined;
};
const optionalText: Check = (value) => (value === undefined ? undefined : text(value));
const digits: Check = (value) =>
  text(value) ?? (DIGITS.test(value as string) ? undefined : 'is not 1 to 32 of 0-9 A-D * #');
const flag: Check = (value) => {
  if (value === undefined) return 'is missing';
  return typeof value === 'boolean' ? undefined : 'is not true or false';
};

const mode: Check = (value) =>
  value === undefined || value === 'announce' || value === 'consult' ? undefined : 'is neither announce nor consult';
const announcement: Check = (value) => {
  if (value === undefined) return undefined;
  const problem = text(value);
  if (problem !== undefined) return problem;
  if ((value as string).trim() === '') return 'is empty';
  if ((value as string).length > ANNOUNCEMENT_CHARS_MAX) return `is longer than ${ANNOUNCEMENT_CHARS_MAX} characters`;
  return (value as string).isWellFormed() ? undefined : 'holds half of a surrogate pair';
};

const availability: Check = (value) => {
  if (value === undefined) return 'is missing';
  return value === 'available' || value === 'away' ? undefined : 'is not available or away';
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
  dtmf: { ...ofCall, digits },
  transfer: { ...ofCall, to: text, mode, announce_text: announcement },
  complete_transfer: ofCall,
  cancel_transfer: ofCall,
  availability: { availability, queue_id: optionalText },
};

/**
 * Reads a message, or returns the problem with it. Unknown fields are ignored. A message of an unknown type is invalid
 * but not malformed, so that clients newer than the server can try it.
 */
export function readMessage(json: string): ClientMessage | Invalid | Malformed {
  const value = parse(json);
  if (value === undefined) return { malformed: 'not a JSON object' };
  const { type } = value;
  const wrongType = text(type);
  if (wrongType !== undefined) return invalid(value, 'type', wrongType);
  if (!isKnown(type)) {
    const name = NAMED_TYPE.test(String(type)) ? ` "${type}"` : '';
    return { invalid: { code: 'invalid_body', message: `Unknown type${name}.` }, echo: echoIn(value) };
  }
  if (type === 'place') {
    const emergencyNumber = emergencyNumberOf(value['to']);
    if (emergencyNumber !== undefined) return emergencyCall(emergencyNumber, value);
  }
  const message: Record<string, unknown> = { type };
  for (const [name, check] of Object.entries(FIELDS[type])) {
    const problem = check(value[name]);
    if (problem !== undefined) return invalid(value, name, problem);
    if (value[name] !== undefined) message[name] = value[name];
  }
  return message as ClientMessage;
}

/** Returns an emergency call without its invalid fields: they must not stop the call. */
function emergencyCall(to: string, { from, ref }: Record<string, unknown>): ClientMessage {
  return { type: 'place', to, ...(isText(from) && { from }), ...(isText(ref) && { ref }) };
}

function invalid(value: Record<string, unknown>, field: string, problem: string): Invalid {
  const code = value[field] === undefined ? 'missing_fields' : 'invalid_body';
  return { invalid: { code, message: `"${field}" ${problem}.` }, echo: echoIn(value) };
}

function echoIn({ type, call_id, ref }: Record<string, unknown>): Echo {
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
