/** Telephones that register at an engine of the operator's, as addresses of the API: `sip_phone:front`. */

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
