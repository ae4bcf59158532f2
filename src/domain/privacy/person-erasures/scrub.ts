/** Removes a person from JSON that is stored: the number, and the words and keys of the person's texts and calls. */

/** The replacement for the number, as for a caller with a hidden number. */
export const ERASED_NUMBER = 'anonymous';

/** Fields with content: texts become empty, lists and objects too. */
const CONTENT: ReadonlySet<string> = new Set([
  ...['body', 'text', 'spoken', 'prompt', 'greeting', 'announcement', 'announce_text', 'message', 'consent_text'],
  ...['digits', 'digit', 'path', 'waiting', 'media', 'media_urls', 'other_recipients', 'metadata'],
  ...['ip_address', 'user_agent', 'last_message_preview', 'tags'],
]);

/** Fields with content that are null without it. */
const NULLED: ReadonlySet<string> = new Set(['summary', 'transcript', 'caller_name', 'customerName', 'contactName']);

/** The characters that people write between the digits of a number. */
const BETWEEN = '[ ().+/-]{0,3}';

/**
 * Returns the pattern of the ways to write a number, for JavaScript and for PostgreSQL: with and without the country
 * code of North America, with spaces, hyphens, dots, slashes or brackets between the digits.
 */
export function writingsOf(number: string): string {
  const digits = /^\+1\d{10}$/.test(number) ? number.slice(2) : number.replace(/\D/g, '');
  return [...digits].join(BETWEEN);
}

/** Returns the value without the number and without content. Ids, times, kinds and states stay. */
export function scrub<Value>(value: Value, number: string): Value {
  return scrubbed(value, new RegExp(writingsOf(number)), true) as Value;
}

/** Returns the value without the number; its content stays. */
export function withoutNumber<Value>(value: Value, number: string): Value {
  return scrubbed(value, new RegExp(writingsOf(number)), false) as Value;
}

function scrubbed(value: unknown, writings: RegExp, content: boolean): unknown {
  if (typeof value === 'string') return writings.test(value) ? ERASED_NUMBER : value;
  if (Array.isArray(value)) return value.map((inner) => scrubbed(inner, writings, content));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (content && NULLED.has(name)) return [name, null];
      return [name, content && CONTENT.has(name) ? emptied(inner) : scrubbed(inner, writings, content)];
    }),
  );
}

function emptied(value: unknown): unknown {
  if (typeof value === 'string') return '';
  if (Array.isArray(value)) return [];
  return typeof value === 'object' && value !== null ? {} : value;
}
