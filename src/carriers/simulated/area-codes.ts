import table from './data/area-codes.json' with { type: 'json' };

/** The place of an area code. `region` is the two-letter state. `localities` are city names, at least one. */
export type AreaCodePlace = Readonly<{ region: string; localities: readonly string[] }>;

/** The place of each area code. An overlay has the place of the area code that it overlays. */
const TABLE: Readonly<Record<string, AreaCodePlace | { readonly overlays: string }>> = table;

function placeOf(areaCode: string): AreaCodePlace {
  const entry = TABLE[areaCode];
  if (entry === undefined) throw new Error(`area code ${areaCode} is not in the table`);
  return 'overlays' in entry ? placeOf(entry.overlays) : entry;
}

/** Geographic area codes in service in the 50 states and the District of Columbia, in ascending order. */
export const AREA_CODES: ReadonlyMap<string, AreaCodePlace> = new Map(
  Object.keys(TABLE)
    .sort()
    .map((areaCode) => [areaCode, placeOf(areaCode)]),
);

/** Returns a city name in a form for comparisons: `St. Louis`, `saint louis` and `ST LOUIS` are equal. */
export function localityKey(name: string): string {
  return name
    .toLowerCase()
    .replace(/[.']/g, '')
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^saint /, 'st ');
}
