import { bareNumber } from './typed-number.ts';

/** Numbers that are never refused: 911, and 933, which reads the caller's address back. */
export const EMERGENCY_NUMBER = '911';
export const ADDRESS_CHECK_NUMBER = '933';
export const EMERGENCY_NUMBERS: readonly string[] = [EMERGENCY_NUMBER, ADDRESS_CHECK_NUMBER];

const FORM = /^\+?1?(911|933)$/;

/** True for an emergency number. Such a number is dialled unchanged and never refused. */
export function isEmergencyNumber(number: string): boolean {
  return EMERGENCY_NUMBERS.includes(number);
}

/**
 * Returns the emergency number in a dialled value of any form: with blanks or punctuation, with invisible characters or
 * full-width digits, or with the country code before it. No other telephone has a number of these forms. Undefined for
 * all other values.
 */
export function emergencyNumberOf(dialled: unknown): string | undefined {
  if (typeof dialled !== 'string' && typeof dialled !== 'number') return undefined;
  return FORM.exec(bareNumber(String(dialled)))?.[1];
}
