import type { ClientMessage } from './protocol.ts';

const DIGITS = /^[0-9A-D*#]{1,32}$/;
const TEXT_CHARS_MAX = 4_000;

/** The message in a text, or undefined for whatever is none of the protocol. Fields that it does not know are passed over. */
export function readMessage(text: string): ClientMessage | undefined {
  const value = parse(text);
  if (value === undefined) return undefined;
  const { type, token, call_id, to, from, ref, on, digits } = value;
  switch (type) {
    case 'register':
      return isText(token) ? { type, token } : undefined;
    case 'answer':
    case 'decline':
    case 'hang_up':
      return isText(call_id) ? { type, call_id } : undefined;
    case 'place':
      if (!isText(to) || !isOptionalText(from) || !isOptionalText(ref)) return undefined;
      return { type, to, ...(from !== undefined && { from }), ...(ref !== undefined && { ref }) };
    case 'mute':
    case 'hold':
      return isText(call_id) && typeof on === 'boolean' ? { type, call_id, on } : undefined;
    case 'dtmf':
      return isText(call_id) && isText(digits) && DIGITS.test(digits) ? { type, call_id, digits } : undefined;
    default:
      return undefined;
  }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= TEXT_CHARS_MAX && !value.includes('\u0000');
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || isText(value);
}
