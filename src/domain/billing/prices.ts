import { RATED_KINDS, type RatedKind } from './kinds.ts';
import standard from './prices.json' with { type: 'json' };

/** Micro-dollars for one unit of each kind charged from usage. */
export type Prices = Readonly<Record<RatedKind, bigint>>;

/** Maximum price of one unit, to catch a misplaced decimal point: 1,000 USD. */
const PRICE_MICROS_MAX = 1_000_000_000;

/**
 * Reads a price list: `{"currency": "usd", "unit": "micro-dollars", "prices": {KIND: whole number, …}}`.
 * @throws Error that states the first fault in one sentence
 */
export function readPrices(list: unknown): Prices {
  const { currency, unit, prices } = fieldsOf(list, 'the price list');
  if (currency !== 'usd' || unit !== 'micro-dollars') {
    throw new Error('"currency" must be "usd" and "unit" must be "micro-dollars"');
  }
  const given = fieldsOf(prices, '"prices"');
  const unknown = Object.keys(given).filter((kind) => !RATED_KINDS.some((rated) => rated === kind));
  if (unknown.length > 0) throw new Error(`"prices" has kinds that are not charged by price: ${unknown.join(', ')}`);
  return Object.fromEntries(RATED_KINDS.map((kind) => [kind, readPrice(kind, given[kind])])) as Prices;
}

function readPrice(kind: RatedKind, price: unknown): bigint {
  if (typeof price === 'number' && Number.isInteger(price) && price >= 0 && price <= PRICE_MICROS_MAX) {
    return BigInt(price);
  }
  throw new Error(`the price of ${kind} must be a whole number of micro-dollars from 0 to ${PRICE_MICROS_MAX}`);
}

function fieldsOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Error(`${what} must be an object`);
}

/** The prices if the operator gives no list. */
export const STANDARD_PRICES = readPrices(standard);
