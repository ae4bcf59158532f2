import ranges from './data/zip-prefixes.json' with { type: 'json' };

/**
 * The first three digits of the ZIP codes of each state, district and territory. An entry is a prefix, or a range that
 * includes both ends.
 */
const RANGES: Readonly<Record<string, readonly string[]>> = ranges;

const STATES = readRanges();

function readRanges(): ReadonlyMap<string, readonly string[]> {
  const states = new Map<string, string[]>();
  for (const [state, ranges] of Object.entries(RANGES)) {
    for (const range of ranges) {
      const { first, last } = endsOf(range);
      for (let prefix = first; prefix <= last; prefix++) {
        const digits = prefixDigits(prefix);
        states.set(digits, [...(states.get(digits) ?? []), state]);
      }
    }
  }
  return states;
}

function endsOf(range: string): { first: number; last: number } {
  const [first = '', last = first] = range.split('-');
  return { first: Number(first), last: Number(last) };
}

function prefixDigits(prefix: number): string {
  return String(prefix).padStart(3, '0');
}

/**
 * Returns the states of a ZIP code. There is none if the post office has no such prefix, and two if states share it.
 */
export function statesOfZip(postalCode: string): readonly string[] {
  return STATES.get(postalCode.slice(0, 3)) ?? [];
}

/** Returns a ZIP code of the state: the first one of its longest range. Undefined for an unknown state. */
export function zipOfState(state: string): string | undefined {
  const [longest] = (RANGES[state] ?? []).map(endsOf).toSorted((a, b) => b.last - b.first - (a.last - a.first));
  return longest && `${prefixDigits(longest.first)}01`;
}
