import table from './data/area-codes.json' with { type: 'json' };

/** Where an area code lies: `region` is the two-letter state, `localities` city names, never empty. */
export type AreaCodePlace = Readonly<{ region: string; localities: readonly string[] }>;

/** An area code has its own place, or overlays another area code and has the place of that area code. */
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

/** City names are compared in this form: `St. Louis`, `saint louis` and `ST LOUIS` are equal. */
export function localityKey(name: string): string {
  return name
    .toLowerCase()
    .replace(/[.']/g, '')
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^saint /, 'st ');
}
