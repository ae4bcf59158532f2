/** Words of names. The start of a word finds contacts, tenants and numbers. */

/** Longest word that is compared; longer ones are cut, in names and in searches. */
const WORD_CHARS_MAX = 40;
/** The most words of a text that can find it, and the most words of a search. */
const WORDS_MAX = 20;

/** The accents that NFKD separates from letters: combining marks (Unicode, category Mn). */
const MARKS = /\p{Mn}/gu;
const WORD = /[\p{L}\p{N}]+/gu;

/** Returns the words of a text, each once: in lower case, without accents and punctuation. */
export function wordsOf(...texts: readonly (string | null)[]): string[] {
  const plain = texts
    .filter((text) => text !== null)
    .join(' ')
    // Also replaces compatibility forms, such as full-width letters.
    .normalize('NFKD')
    .replaceAll(MARKS, '')
    .toLowerCase();
  const words = (plain.match(WORD) ?? []).map((word) => Array.from(word).slice(0, WORD_CHARS_MAX).join(''));
  return [...new Set(words)].slice(0, WORDS_MAX);
}

/** Returns a text that sorts, by bytes, after every text with the prefix. */
export function endOfPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}
