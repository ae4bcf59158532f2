import areaCodeZones from './area-code-zones.json' with { type: 'json' };
import areaCodes from './nanp.json' with { type: 'json' };

/** Country of a geographic area code within the parts of the North American Numbering Plan that we serve. */
export type NanpCountry = 'US' | 'CA';

function codesOf(country: NanpCountry): [string, NanpCountry][] {
  return areaCodes[country].map((areaCode) => [String(areaCode), country]);
}

/**
 * Geographic area codes of the United States with its territories, and of Canada, by country. The other countries of +1
 * (Jamaica 876, Dominican Republic 809 and so on) are absent: they are foreign and expensive to call.
 */
export const AREA_CODE_COUNTRY: ReadonlyMap<string, NanpCountry> = new Map([...codesOf('US'), ...codesOf('CA')]);

/** Toll-free area codes of +1, shared by the United States and Canada. */
export const TOLL_FREE_AREA_CODES: ReadonlySet<string> = new Set(areaCodes.toll_free.map(String));

const ZONES_BY_AREA_CODE = new Map<string, string[]>();
for (const [zone, codes] of Object.entries(areaCodeZones)) {
  for (const code of codes.map(String)) ZONES_BY_AREA_CODE.set(code, [...(ZONES_BY_AREA_CODE.get(code) ?? []), zone]);
}

/**
 * Returns the time zones (IANA names) of the area code of a +1 number; several where the code spans a border of zones.
 * Empty for another number, and for an area code without a place.
 */
export function zonesOfNumber(phoneNumber: string): readonly string[] {
  return phoneNumber.startsWith('+1') ? (ZONES_BY_AREA_CODE.get(phoneNumber.slice(2, 5)) ?? []) : [];
}
