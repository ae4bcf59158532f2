/** Emergency numbers in the forms that people and programs write. */

/** Punctuation, any dash, and invisible characters: a pasted number may have them. */
const BETWEEN_DIGITS =
  /[\s().\u00b7\u2022/~\p{Pd}\u2212\u2043\u02d7\u30fc\u2500\u2501\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
/** 911, and 933, which reads the registered address back, in the forms that people and programs write. */
const EMERGENCY_NUMBER = /^\+?1?(911|933)$/;

/**
 * Returns 911 or 933 if a number means it.
 * @param {unknown} to
 */
export function emergencyNumberOf(to) {
  return EMERGENCY_NUMBER.exec(String(to).normalize('NFKC').replaceAll(BETWEEN_DIGITS, ''))?.[1];
}
