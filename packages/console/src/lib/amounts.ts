import { locale } from './language.ts';
import { MICROS_PER_USD } from './numbers.ts';

/** Writes an amount of US dollars, such as "-0.0079", with at least two decimals. */
export function formatUsd(amount: string | number): string {
  const value = Number(amount);
  return value.toLocaleString(locale.tag, { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });
}

/** Writes micro-dollars as an amount of US dollars. */
export function formatMicros(micros: number): string {
  return formatUsd(micros / MICROS_PER_USD);
}

/** Writes a count with separators of thousands. */
export function formatCount(count: number): string {
  return count.toLocaleString(locale.tag);
}

/** Writes a share between 0 and 1 as a percentage. */
export function formatShare(share: number): string {
  return share.toLocaleString(locale.tag, { style: 'percent', maximumFractionDigits: 1 });
}

/** Writes a size such as "1.4 MiB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const [size, unit] = bytes < 1024 ** 2 ? [bytes / 1024, 'KiB'] : [bytes / 1024 ** 2, 'MiB'];
  return `${size.toLocaleString(locale.tag, { maximumFractionDigits: 1 })} ${unit}`;
}
