import { locale } from './language.ts';

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const;

/** Writes an age such as 95 s as "1.6 min". Short values have one decimal. */
export function formatAge(seconds: number): string {
  for (const [size, unit] of UNITS) {
    if (seconds >= size) return `${(seconds / size).toLocaleString(locale.tag, { maximumFractionDigits: 1 })} ${unit}`;
  }
  return `${seconds.toLocaleString(locale.tag, { maximumFractionDigits: seconds < 10 ? 1 : 0 })} s`;
}
