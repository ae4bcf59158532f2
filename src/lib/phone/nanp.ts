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
