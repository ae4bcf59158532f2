import { bareNumber } from '../../lib/phone/typed-number.ts';
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

/** Fewer digits match too many numbers. */
const DIGITS_MIN = 3;
const DIGITS_MAX = 15;

/** Reads the possible meanings of a text. */
export function readWanted(q: string): Wanted {
  const text = q.trim();
  return { text, words: wordsOf(text), numbers: numbersOf(text) };
}

/**
 * Returns the starts of E.164 numbers that a text may mean. After a plus or an international prefix, the digits are
 * taken as they are. Otherwise they may also be a number of the United States and Canada, with or without its 1.
 */
function numbersOf(text: string): string[] {
  const [, plus, digits = ''] = /^(\+|00|011)?(\d+)$/.exec(bareNumber(text)) ?? [];
  if (digits.length < DIGITS_MIN || digits.length > DIGITS_MAX) return [];
  if (plus !== undefined) return [`+${digits}`];
  return digits.startsWith('1') ? [`+${digits}`] : [`+1${digits}`, `+${digits}`];
}
