/** Numbers in the form that a trunk takes. */
import { emergencyNumberOf } from '../../lib/phone/emergency.ts';
import type { SipSettings, SipTrunk } from './config/settings.ts';
import { endpointOf, isOfTenant, tenantPhoneAt } from './config/telephones.ts';

const NATIONAL_DIGITS = 10;
/** The country of numbers in the national form. */
const COUNTRY_CODE = '1';

/** Returns a number (E.164) in the form that a trunk takes. Emergency numbers do not change. */
export function writeNumber({ numbers }: Pick<SipTrunk, 'numbers'>, number: string): string {
  if (emergencyNumberOf(number) === number || !number.startsWith('+')) return number;
  if (numbers === 'e164') return number;
  const digits = number.slice(1);
  const isOfCountry = digits.length === NATIONAL_DIGITS + 1 && digits.startsWith(COUNTRY_CODE);
  return numbers === 'national' && isOfCountry ? digits.slice(1) : digits;
}

/**
 * Returns the endpoint of the telephone with an address: a name such as sip_phone:front, or the number of a telephone
 * without a tenant. Undefined if no telephone has the address.
 */
export function phoneOf({ phones }: Pick<SipSettings, 'phones'>, address: string): string | undefined {
  const phone =
    tenantPhoneAt(phones, address) ??
    phones.find((candidate) => !isOfTenant(candidate) && candidate.number === address);
  return phone && `PJSIP/${endpointOf(phone)}`;
}
