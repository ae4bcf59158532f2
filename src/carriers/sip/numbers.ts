/** Numbers as trunks take them. */
import { emergencyNumberOf } from '../../lib/emergency.ts';
import type { SipSettings, SipTrunk } from './config/settings.ts';

const NATIONAL_DIGITS = 10;
/** The country of numbers in the national form. */
const COUNTRY_CODE = '1';

/** Returns a number (E.164) in the form that a trunk takes. Emergency numbers stay as they are. */
export function writeNumber({ numbers }: Pick<SipTrunk, 'numbers'>, number: string): string {
  if (emergencyNumberOf(number) === number || !number.startsWith('+')) return number;
  if (numbers === 'e164') return number;
  const digits = number.slice(1);
  const isOfCountry = digits.length === NATIONAL_DIGITS + 1 && digits.startsWith(COUNTRY_CODE);
  return numbers === 'national' && isOfCountry ? digits.slice(1) : digits;
}

/** Returns the endpoint of a lab phone that has a number; undefined if none has it. */
export function phoneOf({ phones }: Pick<SipSettings, 'phones'>, number: string): string | undefined {
  return phones.some((phone) => phone.number === number) ? `PJSIP/phone-${number.slice(1)}` : undefined;
}
