/**
 * The numbers on sale in test mode. Nothing is stored: the digits of a number decide whether it is on sale, and which
 * city it belongs to. A search turns its filters into patterns, one for each position of the wanted digits. It reads
 * the numbers of each pattern in a fixed scattered order. So its work grows with the number of results and of taken
 * numbers, and not with the size of the inventory.
 */
import { HIGH_COST_PREFIXES, isDialable, isHighCost } from '../../lib/phone/phone.ts';
import { AREA_CODES, localityKey } from './area-codes.ts';
import { permute, seedOf } from './permutation.ts';

export type AvailableNumber = {
  phone_number: string;
  locality: string;
  region: string;
  capabilities: string[];
  /** Dollars, as a decimal string. */
  monthly_price_usd: string;
};

export type InventorySearch = {
  /** Three digits. */
  areaCode?: string | undefined;
  /** City name; case, periods and apostrophes are ignored. */
  locality?: string | undefined;
  /** 1 to 10 digits that are anywhere in the ten national digits. */
  contains?: string | undefined;
  /** The most numbers to return. */
  limit: number;
  /** True for a number (E.164) that the ledger has bought already. Called for each number that the search considers. */
  isTaken: (phoneNumber: string) => boolean;
};

/**
 * A set of numbers in one area code: one of `exchanges`, then `line`. `line` has four characters, each a digit or a dot
 * for any digit. `position` is the index of the searched digits among the ten digits; undefined without a search for
 * digits.
 */
type Lot = {
  areaCode: string;
  exchanges: readonly string[];
  line: string;
  position: number | undefined;
  size: number;
  seed: number;
};

const MONTHLY_PRICE_USD = '1.00';

// Exchanges that no subscriber has: service codes, directory and fictional numbers (555), carrier access and test codes
// (950, 958, 959), and premium numbers (976).
const RESERVED_EXCHANGE = /^(?:[2-9]11|555|950|958|959|976)$/;

const EXCHANGES: readonly string[] = Array.from({ length: 800 }, (_, index) => String(index + 200)).filter(
  (exchange) => !RESERVED_EXCHANGE.test(exchange),
);

// Any value would do. It is fixed, so the same search always returns the same numbers.
const SPREAD_SEED = 2026;

// The area codes in scattered order. So a search without a place returns numbers from all over the country.
const SPREAD: readonly string[] = [...AREA_CODES.keys()].sort(
  (a, b) => permute(Number(a), 1000, SPREAD_SEED) - permute(Number(b), 1000, SPREAD_SEED),
);

/**
 * Returns up to `limit` numbers on sale that pass every given filter, without repeats. Returns fewer only if the
 * inventory has no more. The same search with the same taken numbers returns the same numbers. Finds nothing for an
 * area code that is not in service, an unknown city, or a `contains` that is not 1 to 10 digits.
 */
export function searchInventory(search: InventorySearch): AvailableNumber[] {
  let sources = areaCodesFor(search).map((areaCode, position) => numbersOf(areaCode, search, position));
  const found: AvailableNumber[] = [];
  while (sources.length > 0 && found.length < search.limit) {
    const remaining: typeof sources = [];
    for (const source of sources) {
      if (found.length >= search.limit) break;
      const next = source.next();
      if (next.done) continue;
      found.push(describe(next.value));
      remaining.push(source);
    }
    sources = remaining;
  }
  return found;
}

/** Returns the number as a search returns it; undefined if it is not in the inventory. */
export function describeInventoryNumber(phoneNumber: string): AvailableNumber | undefined {
  return isInventoryNumber(phoneNumber) ? describe(phoneNumber.slice(2)) : undefined;
}

/** False for voice-only numbers of the inventory. All other numbers may receive texts. */
export function takesTexts(phoneNumber: string): boolean {
  return describeInventoryNumber(phoneNumber)?.capabilities.includes('sms') ?? true;
}

/** True for a number of the inventory, even if no search has returned it. */
export function isInventoryNumber(phoneNumber: string): boolean {
  if (!isDialable(phoneNumber) || !phoneNumber.startsWith('+1') || isHighCost(phoneNumber, HIGH_COST_PREFIXES))
    return false;
  return AREA_CODES.has(phoneNumber.slice(2, 5)) && !RESERVED_EXCHANGE.test(phoneNumber.slice(5, 8));
}

function areaCodesFor({ areaCode, locality, contains }: InventorySearch): readonly string[] {
  if (contains !== undefined && !/^\d{1,10}$/.test(contains)) return [];
  const codes = areaCode === undefined ? SPREAD : [areaCode].filter((code) => AREA_CODES.has(code));
  if (locality === undefined) return codes;
  const wanted = localityKey(locality);
  return codes.filter((code) => AREA_CODES.get(code)?.localities.some((name) => localityKey(name) === wanted));
}

/**
 * Yields the ten-digit numbers of one area code that the search may return. Takes one number of each lot in turn, and
 * begins with `firstLot`, which differs between area codes. So the wanted digits are at different positions.
 */
function* numbersOf(areaCode: string, search: InventorySearch, firstLot: number): Generator<string, void> {
  const { contains, isTaken } = search;
  const lots = lotsOf(areaCode, search);
  const first = firstLot % Math.max(1, lots.length);
  let open = [...lots.slice(first), ...lots.slice(0, first)];
  for (let index = 0; open.length > 0; index++) {
    open = open.filter((lot) => index < lot.size);
    for (const lot of open) {
      const number = numberAt(lot, index);
      // A number that contains the wanted digits twice is in two lots. Only the later occurrence counts, so it is
      // returned once.
      const repeated = contains !== undefined && number.lastIndexOf(contains) !== lot.position;
      if (!isTaken(`+1${number}`) && !repeated) yield number;
    }
  }
}

function lotsOf(areaCode: string, { contains, locality }: InventorySearch): Lot[] {
  if (contains === undefined) return makeLot(areaCode, '.......', undefined, locality);
  const lots: Lot[] = [];
  for (let position = 10 - contains.length; position >= 0; position--) {
    const pattern = '.'.repeat(position) + contains + '.'.repeat(10 - contains.length - position);
    if (!agrees(areaCode, pattern.slice(0, 3))) continue;
    lots.push(...makeLot(areaCode, pattern.slice(3), position, locality));
  }
  return lots;
}

/** Returns one lot, or none if no exchange fits. */
function makeLot(
  areaCode: string,
  subscriber: string,
  position: number | undefined,
  locality: string | undefined,
): Lot[] {
  const exchanges = exchangesOf(areaCode, subscriber.slice(0, 3), locality);
  if (exchanges.length === 0) return [];
  const line = subscriber.slice(3);
  const size = exchanges.length * 10 ** countDots(line);
  return [{ areaCode, exchanges, line, position, size, seed: seedOf(areaCode + subscriber) }];
}

function exchangesOf(areaCode: string, pattern: string, locality: string | undefined): readonly string[] {
  let exchanges = exchangesLike(pattern);
  if (HIGH_COST_PREFIXES.some((prefix) => prefix.startsWith(`1${areaCode}`))) {
    exchanges = exchanges.filter((exchange) => !isHighCost(`+1${areaCode}${exchange}`, HIGH_COST_PREFIXES));
  }
  if (locality === undefined) return exchanges;
  const wanted = localityKey(locality);
  return exchanges.filter((exchange) => localityKey(localityOf(areaCode, exchange)) === wanted);
}

// The cache is bounded, because at most 11^3 patterns exist.
const exchangesByPattern = new Map<string, readonly string[]>();

function exchangesLike(pattern: string): readonly string[] {
  const known = exchangesByPattern.get(pattern);
  if (known !== undefined) return known;
  const exchanges = EXCHANGES.filter((exchange) => agrees(exchange, pattern));
  exchangesByPattern.set(pattern, exchanges);
  return exchanges;
}

function numberAt({ areaCode, exchanges, line, size, seed }: Lot, index: number): string {
  const place = permute(index, size, seed);
  const exchange = exchanges[place % exchanges.length] ?? '';
  const free = String(Math.floor(place / exchanges.length)).padStart(countDots(line), '0');
  let used = 0;
  return areaCode + exchange + line.replace(/\./g, () => free.charAt(used++));
}

function describe(number: string): AvailableNumber {
  const areaCode = number.slice(0, 3);
  return {
    phone_number: `+1${number}`,
    locality: localityOf(areaCode, number.slice(3, 6)),
    region: AREA_CODES.get(areaCode)?.region ?? '',
    capabilities: number.endsWith('0000') ? ['voice'] : ['sms', 'mms', 'voice'],
    monthly_price_usd: MONTHLY_PRICE_USD,
  };
}

/** Returns the city of an exchange. Each exchange belongs to one city of its area code. */
function localityOf(areaCode: string, exchange: string): string {
  const localities = AREA_CODES.get(areaCode)?.localities ?? [];
  return localities[seedOf(areaCode + exchange) % localities.length] ?? '';
}

function agrees(digits: string, pattern: string): boolean {
  for (let i = 0; i < pattern.length; i++) if (pattern[i] !== '.' && pattern[i] !== digits[i]) return false;
  return true;
}

function countDots(pattern: string): number {
  return pattern.split('.').length - 1;
}
