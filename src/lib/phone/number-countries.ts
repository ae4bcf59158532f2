import callingCodes from './calling-codes.json' with { type: 'json' };
import { AREA_CODE_COUNTRY } from './nanp.ts';
import { areaCodeOf } from './phone.ts';

const COUNTRIES_BY_PREFIX: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(callingCodes));

/** Digits of the longest prefix: 1 and an area code. */
const PREFIX_DIGITS_MAX = 4;

/**
 * Returns the countries (ISO 3166-1) of an E.164 number. The territories of the United States count as `US`. A number
 * without a place, such as a toll-free one, has several. Empty for a calling code of no country.
 */
export function countriesOf(phoneNumber: string): readonly string[] {
  const country = AREA_CODE_COUNTRY.get(areaCodeOf(phoneNumber) ?? '');
  if (country !== undefined) return [country];
  for (let digits = PREFIX_DIGITS_MAX; digits > 0; digits--) {
    const countries = COUNTRIES_BY_PREFIX.get(phoneNumber.slice(1, 1 + digits));
    if (countries !== undefined) return countries;
  }
  return [];
}

/** Returns true for E.164 numbers that may be of the United States or its territories. */
export function isUs(phoneNumber: string): boolean {
  return countriesOf(phoneNumber).includes('US');
}
