/**
 * What stands between the digits of a number that a person typed or pasted: white space, dots, parentheses, any dash,
 * and characters that nobody sees (bidirectional marks, zero-width characters, soft hyphens).
 */
const BETWEEN_DIGITS = /[\s().\p{Pd}\u2212\u2043\u02d7\u30fc\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Returns the digits of a typed number, with its +; full-width digits and signs become ASCII. Other text stays. */
export function bareNumber(typed: string): string {
  return typed.normalize('NFKC').replaceAll(BETWEEN_DIGITS, '');
}
