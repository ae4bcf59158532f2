/** Writes a North American number as "(602) 555-0143", and any other as it is. */
export function formatNumber(number: string): string {
  const match = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number);
  return match === null ? number : `(${match[1]}) ${match[2]}-${match[3]}`;
}

/** Writes an amount of US dollars, such as "-0.0079", with at least two decimals. */
export function formatUsd(amount: string | number): string {
  const value = Number(amount);
  return value.toLocaleString('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });
}

const MICROS_PER_USD = 1_000_000;

/** Returns an amount of the API, such as "-0.0079", in whole micro-dollars, so that sums stay exact. */
export function microsOf(amount: string): number {
  return Math.round(Number(amount) * MICROS_PER_USD);
}

/** Writes micro-dollars as an amount of US dollars. */
export function formatMicros(micros: number): string {
  return formatUsd(micros / MICROS_PER_USD);
}

/** Writes a count with separators of thousands. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}
