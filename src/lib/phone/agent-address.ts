/**
 * Addresses of agents in the API that are no phone numbers: ids of web clients, and telephones that register at an
 * engine of the operator (`sip_phone:front`).
 */
import { isId } from '../ids.ts';

/** Returns true for the id of a web client. */
export function isWebClient(address: string): boolean {
  return isId('web_client', address);
}

/** A telephone's name: small letters, digits and hyphens. It stands in addresses and in configuration files. */
export const SIP_PHONE_NAME = '[a-z][a-z0-9-]{0,30}';
/** The most telephones at the engines of a connection. */
export const PHONES_MAX = 50;
/** The most extensions of a telephone. */
export const EXTENSIONS_MAX = 100;
const PREFIX = 'sip_phone:';
const FORM = new RegExp(`^${PREFIX}${SIP_PHONE_NAME}$`);

/** Returns true for the address of a telephone at an engine. */
export function isSipPhone(address: string): boolean {
  return FORM.test(address);
}

/** Returns the address of the telephone with a name. */
export function sipPhoneOf(name: string): string {
  return `${PREFIX}${name}`;
}

/** Returns the name in the address of a telephone; undefined for any other address. */
export function sipPhoneName(address: string): string | undefined {
  return isSipPhone(address) ? address.slice(PREFIX.length) : undefined;
}
