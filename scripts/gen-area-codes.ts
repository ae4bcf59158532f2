import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import areaCodeZones from '../src/lib/phone/area-code-zones.json' with { type: 'json' };

/** The United States and its territories: American Samoa, Guam, Northern Marianas, Puerto Rico, US Virgin Islands. */
const UNITED_STATES: ReadonlySet<string | undefined> = new Set(['US', 'AS', 'GU', 'MP', 'PR', 'VI']);

/** Types of +1 numbers with separate area codes: personal numbers (500), premium (900) and others. */
const NOT_GEOGRAPHIC: ReadonlySet<string | undefined> = new Set(['PERSONAL_NUMBER', 'PREMIUM_RATE', 'VOIP', 'UAN']);

/**
 * Relief codes that NANPA has assigned and that libphonenumber does not have, because they are not in service yet.
 * Without them the first people with such numbers could not be reached.
 */
const ASSIGNED = {
  US: [357, 436, 457, 465, 471, 483, 565, 621, 624, 679, 729, 837, 861, 924],
  CA: [387],
} as const;

/** The countries of +1 numbers without a place, such as toll-free numbers. */
const WITHOUT_PLACE = ['US', 'CA'];

type Group = 'US' | 'CA' | 'toll_free';

/**
 * Makes src/lib/phone/nanp.json: the geographic area codes of the United States and of Canada, and the toll-free ones.
 * They come from libphonenumber's metadata, with ASSIGNED added. The metadata has no time zones: those are written by
 * hand in src/lib/phone/area-code-zones.json, and both must have the same codes.
 * @throws Error if an area code of ASSIGNED is in libphonenumber's metadata, or if the zones of a code are not known
 */
export function areaCodeTable(): string {
  const table: Record<Group, number[]> = { US: [...ASSIGNED.US], CA: [...ASSIGNED.CA], toll_free: [] };
  for (let areaCode = 200; areaCode < 1000; areaCode++) {
    const group = groupOf(areaCode);
    if (group === undefined) continue;
    if (table[group].includes(areaCode)) throw new Error(`libphonenumber has ${areaCode} now: remove it from ASSIGNED`);
    table[group].push(areaCode);
  }
  const problems = zoneProblems([...table.US, ...table.CA], areaCodeZones);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const entries = Object.entries(table).map(([group, codes]) => `  "${group}": ${formatted(codes.sort())}`);
  return `{\n${entries.join(',\n')}\n}\n`;
}

/** Returns the codes that the table of zones lacks, and its codes that are not geographic. */
export function zoneProblems(codes: readonly number[], zones: Readonly<Record<string, readonly number[]>>): string[] {
  const zoned = new Set(Object.values(zones).flat());
  const unknown = codes.filter((code) => !zoned.has(code));
  const foreign = [...zoned].filter((code) => !codes.includes(code));
  const named = (some: readonly number[]) => some.toSorted((a, b) => a - b).join(', ');
  return [
    ...(unknown.length > 0 ? [`src/lib/phone/area-code-zones.json has no zone of ${named(unknown)}: add it.`] : []),
    ...(foreign.length > 0 ? [`src/lib/phone/area-code-zones.json has ${named(foreign)}, which nanp.json lacks.`] : []),
  ];
}

/**
 * Makes src/lib/phone/calling-codes.json: the countries (ISO 3166-1) of each calling code. An area code of +1 has a
 * separate entry, with its 1, if it is of another country than the United States and Canada.
 */
export function callingCodeTable(): string {
  const table: Record<string, string[]> = { 1: WITHOUT_PLACE };
  for (const country of [...getCountries()].sort()) {
    const code = getCountryCallingCode(country);
    if (code !== '1') table[code] = [...(table[code] ?? []), country];
  }
  for (let areaCode = 200; areaCode < 1000; areaCode++) {
    const number = parsePhoneNumberFromString(`+1${areaCode}2345678`);
    const country = number?.isValid() === true ? number.country : undefined;
    if (country !== undefined && country !== 'CA' && !UNITED_STATES.has(country)) table[`1${areaCode}`] = [country];
  }
  const entries = Object.entries(table).map(([prefix, countries]) => `  "${prefix}": ["${countries.join('", "')}"]`);
  return `{\n${entries.join(',\n')}\n}\n`;
}

function groupOf(areaCode: number): Group | undefined {
  // Any well-formed subscriber number serves: the small metadata set distinguishes countries by area code alone.
  const number = parsePhoneNumberFromString(`+1${areaCode}2345678`);
  if (number?.isValid() !== true) return undefined;
  const type = number.getType();
  if (type === 'TOLL_FREE') return 'toll_free';
  if (NOT_GEOGRAPHIC.has(type)) return undefined;
  if (UNITED_STATES.has(number.country)) return 'US';
  return number.country === 'CA' ? 'CA' : undefined;
}

/**
 * The codes as the formatter prints them: on one line if they fit, else on lines of up to 120 columns, indented by 4.
 */
function formatted(codes: readonly number[]): string {
  const perLine = Math.floor((120 - 4 + 1) / '200, '.length);
  if (codes.length < perLine) return `[${codes.join(', ')}]`;
  const lines: string[] = [];
  for (let at = 0; at < codes.length; at += perLine) lines.push(`    ${codes.slice(at, at + perLine).join(', ')}`);
  return `[\n${lines.join(',\n')}\n  ]`;
}
