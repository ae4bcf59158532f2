/** The names that callers show: display names of SIP (RFC 3261, sections 20.10 and 25.1), and of other carriers. */

/** Characters (code points) of a caller's name. */
export const NAME_CHARS_MAX = 80;

/** One value of a header: a name in quotes or a few words, and the address in angle brackets. */
const VALUE = /(?:\s*"((?:[^"\\]|\\.)*)"\s*|([^"<,]*))<[^>]*>[^,]*(?:,|$)/sy;

/**
 * Returns the display name in a header such as From or P-Asserted-Identity. Of several values the first name counts
 * (RFC 3325, section 9.1, allows two). Undefined without a name.
 */
export function readDisplayName(header: string): string | undefined {
  const values = new RegExp(VALUE);
  for (let found = values.exec(header); found !== null; found = values.exec(header)) {
    const [, quoted, words = ''] = found;
    const name = (quoted?.replaceAll(/\\(.)/gs, '$1') ?? words).trim();
    if (name !== '') return name;
  }
  return undefined;
}

/** True for the address of an anonymous caller (RFC 3323, section 4.1.1.3). */
export function isAnonymousAddress(header: string): boolean {
  return /<sips?:(?:anonymous@|[^>]*@anonymous\.invalid\b)/i.test(header);
}

/** Control characters, and characters that turn the direction of the text around them. White space is not included. */
const UNSEEN = /(?!\s)[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Returns a name as it is stored and shown: one line without control characters, bounded. Undefined if it is empty. */
export function cleanName(name: string): string | undefined {
  const line = name.toWellFormed().replaceAll(UNSEEN, '').replaceAll(/\s+/g, ' ').trim();
  const clean = [...line].slice(0, NAME_CHARS_MAX).join('').trim();
  return clean === '' ? undefined : clean;
}
