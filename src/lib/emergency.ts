/** Numbers that are dialled in an emergency and never refused: 911 itself, and 933, which reads the address back. */
export const EMERGENCY_NUMBER = '911';
export const ADDRESS_CHECK_NUMBER = '933';

const FORM = /^\+?1?(911|933)$/;
const PUNCTUATION = /[\s().-]/g;

/** True for a number that is dialled as it is and that nothing may stand in the way of. */
export function isEmergencyNumber(number: string): boolean {
  return number === EMERGENCY_NUMBER || number === ADDRESS_CHECK_NUMBER;
}

/**
 * The emergency number that somebody means, in whatever form it was dialled: as a number, with blanks or punctuation,
 * with the country code before it. None of these forms is any other telephone's. Undefined for all other values.
 */
export function emergencyNumberOf(dialled: unknown): string | undefined {
  if (typeof dialled !== 'string' && typeof dialled !== 'number') return undefined;
  return FORM.exec(String(dialled).replaceAll(PUNCTUATION, ''))?.[1];
}
