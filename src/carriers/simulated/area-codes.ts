import { MIDWEST } from './area-codes-midwest.ts';
import { NORTHEAST } from './area-codes-northeast.ts';
import { SOUTH } from './area-codes-south.ts';
import { WEST } from './area-codes-west.ts';

/** Where an area code lies: `region` is the two-letter state, `localities` city names, never empty. */
export type AreaCodePlace = Readonly<{ region: string; localities: readonly string[] }>;

const TABLE: Readonly<Record<string, string>> = { ...NORTHEAST, ...MIDWEST, ...SOUTH, ...WEST };

function placeOf(areaCode: string): AreaCodePlace {
  const line = TABLE[areaCode];
  if (line === undefined) throw new Error(`area code ${areaCode} is not in the table`);
  if (line.startsWith('=')) return placeOf(line.slice(1));
  const [region = '', ...localities] = line.split('|');
  return { region, localities };
}

/** Geographic area codes in service in the 50 states and the District of Columbia, in ascending order. */
export const AREA_CODES: ReadonlyMap<string, AreaCodePlace> = new Map(
  Object.keys(TABLE)
    .sort()
    .map((areaCode) => [areaCode, placeOf(areaCode)]),
);

/** The form in which city names are compared: `St. Louis`, `saint louis` and `ST LOUIS` are one. */
export function localityKey(name: string): string {
  return name
    .toLowerCase()
    .replace(/[.']/g, '')
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/^saint /, 'st ');
}
