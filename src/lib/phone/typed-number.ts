/**
 * The characters between the digits of a number that a person typed or pasted: white space, dots, bullets, slashes,
 * tildes, parentheses, any dash or drawn line, and invisible characters (bidirectional marks, zero-width characters,
 * soft hyphens).
 */
const BETWEEN_DIGITS =
  /[\s().\u00b7\u2022/~\p{Pd}\u2212\u2043\u02d7\u30fc\u2500\u2501\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Returns the digits of a typed number, with its +; full-width digits and signs become ASCII. Removes the `tel:` of a
 * link, and the comma after a number in a sentence. Other text stays.
 */
export function bareNumber(typed: string): string {
  return typed.normalize('NFKC').replaceAll(BETWEEN_DIGITS, '').replace(/^tel:/i, '').replace(/[,;]$/, '');
}
