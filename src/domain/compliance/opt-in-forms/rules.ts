import { createHash, randomInt } from 'node:crypto';
import { isDialable } from '../../../lib/phone/phone.ts';
import { bareNumber } from '../../../lib/phone/typed-number.ts';

export const NAME_CHARS_MAX = 200;
export const CONSENT_CHARS_MAX = 2_000;
export const URL_CHARS_MAX = 2_000;
export const USER_AGENT_CHARS_MAX = 500;
export const DEFAULT_COLOR = '#0b57a4';
export const COLOR_FORM = '^#[0-9a-fA-F]{6}$';

/** Characters of a typed phone number, with everything that people write between its digits. */
export const TYPED_NUMBER_CHARS_MAX = 40;

const SLUG_NAME_CHARS_MAX = 40;
const SLUG_RANDOM_CHARS = 10;
// No vowels, so that it spells no word, and no characters that look alike, so that it can be read aloud.
const SLUG_ALPHABET = '23456789bcdfghjkmnpqrstvwxyz';

/** Returns the last part of a form's public address: the words of its name, then 10 random characters (48 bits). */
export function makeSlug(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_NAME_CHARS_MAX)
    .replaceAll(/^-+|-+$/g, '');
  const random = Array.from({ length: SLUG_RANDOM_CHARS }, () => SLUG_ALPHABET[randomInt(SLUG_ALPHABET.length)]);
  return [words, random.join('')].filter((part) => part !== '').join('-');
}

/** The kinds of messages by use case, in words that a recipient understands. */
const KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    customer_care: 'customer care messages',
    appointment_reminders: 'appointment reminders and confirmations',
    marketing: 'promotional offers and news',
    two_factor: 'verification codes',
    mixed: 'appointment reminders, customer care and promotional messages',
  }),
);
const ANY_KIND = 'service and account messages';

/** Returns the consent text if the tenant gives none: sender, kinds, frequency, cost, STOP and HELP. */
export function defaultConsentText(senderName: string, useCase: string | undefined): string {
  return [
    `I agree to receive ${KINDS.get(useCase ?? '') ?? ANY_KIND} by text from ${senderName} at the phone number I give here.`,
    'Message frequency varies. Msg & data rates may apply.',
    'Reply STOP to opt out at any time, or HELP for help.',
    'Consent is not a condition of any purchase.',
  ].join(' ');
}

/** True if `defaultConsentText` wrote the consent text, so that it is in English. */
export function isDefaultText(consentText: string): boolean {
  return /^I agree to receive .* Consent is not a condition of any purchase\.$/.test(consentText);
}

/**
 * Returns a short name for a consent text. A page sends the name back, which shows whether the text has changed since.
 */
export function textVersion(consentText: string): string {
  return createHash('sha256').update(consentText).digest('base64url').slice(0, 16);
}

/**
 * Returns the address as it is stored, or undefined if a page may not link to it or load it. It must be https without
 * credentials, with a host of letters, digits, dots and hyphens: the URL standard lets a host contain `;` and `,`,
 * which would end a Content-Security-Policy directive.
 */
export function webAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined;
  if (!/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(url.hostname)) return undefined;
  return url.href.length > URL_CHARS_MAX ? undefined : url.href;
}

/**
 * Returns a typed or pasted phone number in E.164; undefined if it is not a number. A number without a country code is
 * read as North American.
 */
export function readPhoneNumber(text: string): string | undefined {
  if (text.length > TYPED_NUMBER_CHARS_MAX) return undefined;
  const bare = bareNumber(text);
  // People dial 00 or 011 before the country code 1, in place of the plus.
  const digits = /^(?:(?:00|011)?1)?([2-9]\d{9})$/.exec(bare)?.[1];
  const number = digits === undefined ? bare : `+1${digits}`;
  return isDialable(number) ? number : undefined;
}

/** Returns black or white, whichever has more contrast on the colour: at least 4.5:1 on any (WCAG 2.2, 1.4.3). */
export function textColorOn(color: string): '#000000' | '#ffffff' {
  const light = luminance(color);
  return (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) ? '#000000' : '#ffffff';
}

/** Returns the relative luminance of `#rrggbb`, 0 to 1 (WCAG 2.2). */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
