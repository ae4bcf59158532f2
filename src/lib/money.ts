/** Amounts of money are micro-dollars in a bigint: exact, also for the price of one segment. */
const MICROS_PER_DOLLAR = 1_000_000n;

const DECIMAL = /^(-?)(\d{1,12})(?:\.(\d{1,6}))?$/;

/**
 * Writes micro-dollars as decimal dollars, with two to six places: `20.00`, `-0.0079`.
 */
export function formatUsd(micros: bigint): string {
  const sign = micros < 0n ? '-' : '';
  const size = micros < 0n ? -micros : micros;
  const places = String(size % MICROS_PER_DOLLAR).padStart(6, '0');
  return `${sign}${size / MICROS_PER_DOLLAR}.${places.slice(0, 2)}${places.slice(2).replace(/0+$/, '')}`;
}

/**
 * Reads decimal dollars (`20`, `20.5`, `-0.0079`) as micro-dollars, without a binary fraction in between. Undefined for
 * any other text, for more than six places and for more than twelve digits of dollars.
 */
export function parseUsd(text: string): bigint | undefined {
  const [, sign, dollars, places = ''] = DECIMAL.exec(text) ?? [];
  if (dollars === undefined) return undefined;
  const size = BigInt(dollars) * MICROS_PER_DOLLAR + BigInt(places.padEnd(6, '0'));
  return sign === '-' ? -size : size;
}
