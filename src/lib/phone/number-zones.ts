import areaCodeZones from './area-code-zones.json' with { type: 'json' };
import { countriesOf } from './number-countries.ts';

const ZONES_BY_AREA_CODE = new Map<string, string[]>();
for (const [zone, codes] of Object.entries(areaCodeZones)) {
  for (const code of codes.map(String)) ZONES_BY_AREA_CODE.set(code, [...(ZONES_BY_AREA_CODE.get(code) ?? []), zone]);
}

/**
 * Returns the time zones (IANA names) where the person of an E.164 number may be: the zones of the area code of a US or
 * Canadian number, else the zones of the country. A number of several countries, such as a toll-free one, has the zones
 * of all of them. Empty for a number of no country.
 */
export function zonesOfNumber(phoneNumber: string): readonly string[] {
  const zones = phoneNumber.startsWith('+1') ? ZONES_BY_AREA_CODE.get(phoneNumber.slice(2, 5)) : undefined;
  return zones ?? [...new Set(countriesOf(phoneNumber).flatMap(zonesOfCountry))];
}

function zonesOfCountry(country: string): readonly string[] {
  return new Intl.Locale('und', { region: country }).getTimeZones() ?? [];
}
