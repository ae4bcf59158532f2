/** Numbers and callers as carriers write them. Every adapter reads them here before it reports them. */
import { isDialable } from './phone.ts';

/** The other party if its number is withheld, is not a number, or cannot be called back. */
export const ANONYMOUS = 'anonymous';

/** The words that networks send in place of a hidden number, typed on the keys of a telephone. */
const WITHHELD: ReadonlySet<string> = new Set([
  ...['266696687', '7378742833', '86282452253'], // ANONYMOUS, RESTRICTED, UNAVAILABLE
  ...['8656696', '8566696', '2562533', '7748283'], // UNKNOWN, its usual mistyping, BLOCKED, PRIVATE
]);

const NATIONAL_DIGITS = 10;
/** The country of numbers in the national form. */
const COUNTRY_CODE = '1';
/** Prefixes of international calls: 011 of North America, and 00 of most other countries. */
const INTERNATIONAL = /^(?:011|00)([1-9]\d*)$/;
const SEPARATORS = /[\s().\-/\u2010-\u2015]/g;
const SHORT_CODE = /^[1-9]\d{2,5}$/;

/** Returns the other party of a call or text: an E.164 number, a short code of 3 to 6 digits, or "anonymous". */
export function readParty(written: string): string {
  const { digits } = dissect(written);
  return SHORT_CODE.test(digits) ? digits : (readNumber(written) ?? ANONYMOUS);
}

/**
 * Reads a number in any form that carriers write, and returns it in E.164; undefined for other text. Ten digits, and 1
 * with ten digits, are numbers of North America. Shorter ones lack the area code, so they are not read.
 */
export function readNumber(written: string): string | undefined {
  const { digits, context } = dissect(written);
  const bare = digits.replace('+', '');
  if (!/^\+?\d+$/.test(digits) || isWithheldNumber(bare)) return undefined;
  const local = digits === bare && context !== undefined ? `${context}${bare}` : '';
  return [local, internationalOf(digits)].find(isDialable);
}

/** True for digits that a network sends in place of a hidden number, with or without `+` and `1`. */
export function isWithheldNumber(digits: string): boolean {
  return WITHHELD.has(digits.replace(/^\+?1?/, '')) || WITHHELD.has(digits.replace('+', ''));
}

/**
 * Returns the digits, which begin with a country code, with a plus. Such a number may not exist: `isDialable` checks
 * it.
 */
function internationalOf(digits: string): string {
  const bare = digits.replace('+', '');
  const afterPrefix = INTERNATIONAL.exec(bare)?.[1];
  if (afterPrefix !== undefined) return `+${afterPrefix}`;
  if (digits.startsWith('+') || bare.length > NATIONAL_DIGITS) return `+${bare}`;
  return bare.length === NATIONAL_DIGITS ? `+${COUNTRY_CODE}${bare}` : '';
}

/** Values that ask a network to hide the caller: of Privacy (RFC 3323, RFC 3325), and of Remote-Party-ID. */
const PRIVATE = new Set(['id', 'user', 'header', 'full', 'uri']);

/** True if a value of the SIP header Privacy asks that the caller's number is not shown. */
export function asksForPrivacy(value: string): boolean {
  return value.split(/[\s;,]+/).some((word) => PRIVATE.has(word.toLowerCase()));
}

type Dissected = {
  /** The part of the URI that names the number, without visual separators. */
  readonly digits: string;
  /**
   * The area where a local number is valid (RFC 3966, `phone-context`): the first digits of numbers in it, such as
   * +1303.
   */
  readonly context: string | undefined;
};

/** Takes a number out of a URI (RFC 3261, RFC 3966), with or without a name and brackets around it. */
function dissect(written: string): Dissected {
  const uri = (/<([^>]*)>/.exec(written)?.[1] ?? written).trim();
  const [, scheme, rest = ''] = /^(?:(sips?|tel):)?(.*)$/is.exec(uri) ?? [];
  const hasUser = rest.includes('@');
  // A SIP URI without a user names a host.
  if (scheme?.startsWith('s') && !hasUser) return { digits: '', context: undefined };
  const [user = '', ...parameters] = unescaped(rest.split('@', 1)[0] ?? '').split(';');
  const context = parameters.map((parameter) => /^phone-context=(\+\d+)$/i.exec(parameter.trim())?.[1]).find(Boolean);
  return { digits: (user.split(':', 1)[0] ?? '').replaceAll(SEPARATORS, ''), context };
}

/** Decodes the escapes of a URI. An invalid escape stays, so the text is no number. */
function unescaped(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
