/** Writes a North American number as "(602) 555-0143". Other numbers do not change. */
export function formatNumber(number: string): string {
  const match = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(number);
  return match === null ? number : `(${match[1]}) ${match[2]}-${match[3]}`;
}

/**
 * Returns a typed or pasted number in E.164. North American numbers need no country code. Other text does not change.
 */
export function e164Of(typed: string): string {
  const text = typed.trim();
  const bare = bareNumber(text);
  const match = /^(?:\+?1)?([2-9]\d{9})$/.exec(bare);
  if (match !== null) return `+1${match[1]}`;
  return isE164(bare) ? bare : text;
}

/** True for a number in E.164. */
export const isE164 = (text: string): boolean => /^\+\d{7,15}$/.test(text);

/** The properties of a `FilterText` for a number. */
export const NUMBER_FILTER = { placeholder: '+16025550143', parse: e164Of, isWhole: isE164 } as const;

/** Characters between the digits of a pasted number: punctuation, any dash, and invisible characters. */
const BETWEEN_DIGITS =
  /[\s().\u00b7\u2022/~\p{Pd}\u2212\u2043\u02d7\u30fc\u2500\u2501\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

function bareNumber(typed: string): string {
  return typed.normalize('NFKC').replaceAll(BETWEEN_DIGITS, '').replace(/^tel:/i, '').replace(/[,;]$/, '');
}

/**
 * Returns a typed number in E.164, without the characters between its digits. Undefined if the number is incomplete.
 */
export function numberOf(typed: string): string | undefined {
  const digits = bareNumber(typed).replaceAll(/\D/g, '');
  const number = `+${digits.length === 10 ? '1' : ''}${digits}`;
  return /^\+\d{8,15}$/.test(number) ? number : undefined;
}

export const MICROS_PER_USD = 1_000_000;

/** Returns an amount of the API, such as "-0.0079", in whole micro-dollars, so that sums stay exact. */
export function microsOf(amount: string): number {
  return Math.round(Number(amount) * MICROS_PER_USD);
}
