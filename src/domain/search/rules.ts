import { wordsOf } from '../../lib/words.ts';

/** The possible meanings of a text that a user typed or pasted into the search. */
export type Wanted = {
  /** The text itself, which may be an id or a reference. */
  readonly text: string;
  /** Starts of words of a name. */
  readonly words: readonly string[];
  /** Starts of numbers in E.164. */
  readonly numbers: readonly string[];
};

/** Fewer digits begin too many numbers. */
const DIGITS_MIN = 3;
const DIGITS_MAX = 15;
/** The characters between the digits of a number, and marks that a paste adds to a number. */
const BETWEEN = /[\s()./\p{Pd}\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Reads the possible meanings of a text. */
export function readWanted(q: string): Wanted {
  const text = q.trim();
  return { text, words: wordsOf(text), numbers: numbersOf(text) };
}

/**
 * Returns the starts of E.164 that a text may mean: with a plus or an international prefix as it is, otherwise also a
 * number of the United States and Canada, with or without its 1.
 */
function numbersOf(text: string): string[] {
  // Full-width digits and signs too.
  const plain = text.normalize('NFKC').replaceAll(BETWEEN, '').replace(/^tel:/i, '');
  const [, plus, digits = ''] = /^(\+|00|011)?(\d+)$/.exec(plain) ?? [];
  if (digits.length < DIGITS_MIN || digits.length > DIGITS_MAX) return [];
  if (plus !== undefined) return [`+${digits}`];
  return digits.startsWith('1') ? [`+${digits}`] : [`+1${digits}`, `+${digits}`];
}
