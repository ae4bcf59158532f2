import { AREA_CODE_COUNTRY, TOLL_FREE_AREA_CODES } from './nanp.ts';

const E164_SHAPE = /^\+[1-9]\d{6,14}$/;
const NANP_SHAPE = /^\+1[2-9]\d\d[2-9]\d{6}$/;
const PREMIUM_SHAPE = /^\+1(?:900|\d{3}976)/;
const SHORT_CODE_SHAPE = /^[2-9]\d{4,5}$/;

/** Digit prefixes of exchanges known for traffic pumping: the initial list of an operator (contract section 5). */
export const HIGH_COST_PREFIXES: readonly string[] = ['1605455'];

/** True for the bare E.164 form: `+`, then 7 to 15 digits. The first is not 0. */
export function isE164(number: string): boolean {
  return E164_SHAPE.test(number);
}

/**
 * True for E.164 numbers that can exist: the check on every number that is texted or called (contract section 5).
 * Within +1 the area code and the exchange must be well formed. They need not be assigned. The magic test numbers
 * (500-555-xxxx) are well formed.
 */
export function isDialable(number: string): boolean {
  return isE164(number) && (!number.startsWith('+1') || NANP_SHAPE.test(number));
}

/**
 * True for the magic numbers of test mode (500-555-xxxx). They have no owner, so all tests can use them concurrently.
 */
export function isMagicNumber(number: string): boolean {
  return number.startsWith('+1500555');
}

/** Returns the three digits after +1, or undefined for a number outside the numbering plan. */
export function areaCodeOf(number: string): string | undefined {
  return NANP_SHAPE.test(number) ? number.slice(2, 5) : undefined;
}

/**
 * True for dialable numbers of the United States, its territories and Canada, toll-free ones included: live traffic
 * goes only there unless the operator allows more (contract section 5). False for other +1 countries and for
 * non-geographic codes such as 500.
 */
export function isUsOrCanada(number: string): boolean {
  const areaCode = areaCodeOf(number);
  return areaCode !== undefined && (AREA_CODE_COUNTRY.has(areaCode) || TOLL_FREE_AREA_CODES.has(areaCode));
}

/**
 * True for numbers that are refused because of their cost: numbers under one of `prefixes` (digits from the country
 * code on, `1605455`), and always area code 900 and exchange 976 (contract section 5).
 */
export function isHighCost(number: string, prefixes: readonly string[]): boolean {
  return PREMIUM_SHAPE.test(number) || hasPrefix(number, prefixes);
}

/** True for E.164 numbers under one of `prefixes`: digits from the country code on. */
export function hasPrefix(number: string, prefixes: readonly string[]): boolean {
  const digits = number.slice(1);
  return prefixes.some((prefix) => prefix !== '' && digits.startsWith(prefix));
}

/** True for North American toll-free numbers. */
export function isTollFree(number: string): boolean {
  const areaCode = areaCodeOf(number);
  return areaCode !== undefined && TOLL_FREE_AREA_CODES.has(areaCode);
}

/** True for a common short code: five or six digits, the first from 2 to 9. Texts only; not an E.164 number. */
export function isShortCode(text: string): boolean {
  return SHORT_CODE_SHAPE.test(text);
}
