/** The telephones that register at the engines: their settings, and their names at the engines. */

import { ID_PREFIXES } from '../../../lib/ids.ts';
import { EXTENSIONS_MAX, PHONES_MAX, SIP_PHONE_NAME, sipPhoneName } from '../../../lib/phone/agent-address.ts';
import { EMERGENCY_NUMBERS } from '../../../lib/phone/emergency.ts';
import { type Static, Type } from '../../../lib/type.ts';

const NUMBER = '\\+[1-9][0-9]{6,14}';

const Extension = Type.Object(
  {
    /** The digits that are dialled. */
    digits: Type.String({ pattern: '^[0-9]{2,5}$' }),
    /** Another telephone of the tenant, such as sip_phone:front, or a number (E.164). */
    to: Type.String({ pattern: `^(${NUMBER}|sip_phone:${SIP_PHONE_NAME})$` }),
  },
  { additionalProperties: false },
);

const Phone = Type.Object(
  {
    /** The number that the telephone calls from. A telephone without a tenant is also called by it. */
    number: Type.String({ pattern: `^${NUMBER}$` }),
    /** The name and the tenant of a telephone that places calls like a web client. */
    name: Type.Optional(Type.String({ pattern: `^${SIP_PHONE_NAME}$` })),
    tenant: Type.Optional(Type.String({ pattern: `^${ID_PREFIXES.tenant}_[0-9a-z]{26}$` })),
    extensions: Type.Array(Extension, { maxItems: EXTENSIONS_MAX, default: [] }),
  },
  { additionalProperties: false },
);
export const Phones = Type.Array(Phone, { maxItems: PHONES_MAX });

/**
 * A telephone that registers at the engine.
 * @public
 */
export type SipPhone = Static<typeof Phone>;

/** A telephone of a tenant. */
export type TenantPhone = SipPhone & { readonly name: string; readonly tenant: string };

/** The telephones in the settings, and the names of the trunks. Passwords of both are stored under their names. */
type Known = { readonly phones: readonly SipPhone[]; readonly trunkNames: readonly string[] };

/** Returns the name of a telephone's password: the telephone's name, or its number if it has no name. */
export function passwordNameOf({ name, number }: SipPhone): string {
  return name ?? number;
}

/**
 * Returns the engine's name of a telephone, which is also the telephone's user name: phone-front, or phone-13035550101.
 */
export function endpointOf({ name, number }: SipPhone): string {
  return `phone-${name ?? number.slice(1)}`;
}

/** Returns the telephone of a tenant by its channel (PJSIP/phone-front-0000002a); undefined for any other channel. */
export function tenantPhoneOfChannel(phones: readonly SipPhone[], channelName: string): TenantPhone | undefined {
  const endpoint = /^PJSIP\/(.+)-[0-9a-f]+$/.exec(channelName)?.[1];
  return phones.filter(isOfTenant).find((phone) => endpointOf(phone) === endpoint);
}

/** Returns the telephone of a tenant by its address, such as sip_phone:front. */
export function tenantPhoneAt(phones: readonly SipPhone[], address: string): TenantPhone | undefined {
  const name = sipPhoneName(address);
  return name === undefined ? undefined : phones.filter(isOfTenant).find((phone) => phone.name === name);
}

export function isOfTenant(phone: SipPhone): phone is TenantPhone {
  return phone.name !== undefined && phone.tenant !== undefined;
}

/** Returns the first problem with the list of telephones; undefined if there is none. */
export function problemOf({ phones, trunkNames }: Known): string | undefined {
  const repeated = repeatedIn(phones.map(passwordNameOf));
  if (repeated !== undefined) return `${repeated} is there twice`;
  for (const phone of phones) {
    const { name, tenant, number, extensions } = phone;
    const called = name ?? number;
    if ((name === undefined) !== (tenant === undefined)) return `${called} needs a name and a tenant, or neither`;
    if (name !== undefined && trunkNames.includes(name)) return `${name} is the name of a trunk`;
    if (extensions.length > 0 && tenant === undefined) return `${called} has extensions, so it needs a tenant`;
    const problem = problemOfExtensions(phone, phones);
    if (problem !== undefined) return `${called}: ${problem}`;
  }
  return undefined;
}

/** The digits of emergency services. No extension may use them. */
const URGENT: ReadonlySet<string> = new Set(EMERGENCY_NUMBERS.flatMap((number) => [number, `1${number}`]));

function problemOfExtensions({ tenant, extensions }: SipPhone, phones: readonly SipPhone[]): string | undefined {
  const repeated = repeatedIn(extensions.map(({ digits }) => digits));
  if (repeated !== undefined) return `the extension ${repeated} is there twice`;
  for (const { digits, to } of extensions) {
    if (URGENT.has(digits)) return `the extension ${digits} is an emergency number`;
    const isTelephone = sipPhoneName(to) !== undefined;
    if (isTelephone && tenantPhoneAt(phones, to)?.tenant !== tenant) {
      return `the extension ${digits} leads to ${to}, which is no telephone of its tenant`;
    }
  }
  return undefined;
}

function repeatedIn(names: readonly string[]): string | undefined {
  return names.find((name, at) => names.indexOf(name) !== at);
}
