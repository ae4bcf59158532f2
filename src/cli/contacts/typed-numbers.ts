import { isDialable } from '../../lib/phone/phone.ts';
import { bareNumber } from '../../lib/phone/typed-number.ts';

/** A number in E.164, or the reason why a text is not a number. */
export type ReadNumber = { readonly number: string } | { readonly why: string };

/** The separators of several numbers in one cell. */
const BETWEEN = /[;,|\n\r]+|:::/;

/** Reads a cell with numbers in the forms that people in the United States use. An empty cell has none. */
export function readNumbers(cell: string): ReadNumber[] {
  return cell
    .split(BETWEEN)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(readNumber);
}

function readNumber(typed: string): ReadNumber {
  if (/^\d+(\.\d+)?e\+?\d+$/i.test(typed)) return { why: `${typed} is a number that a spreadsheet has rounded` };
  if (/\d\W*(x|ext|extension|#)\W*\d+$/i.test(typed)) {
    return { why: `${typed} has an extension, which a number in E.164 cannot have` };
  }
  // A spreadsheet marks a cell as text by a leading apostrophe or by ="…".
  const kept = typed.replace(/^(="?|')/, '').replace(/"$/, '');
  const plain = bareNumber(kept);
  const [, international, digits] = /^(\+|011|00)?(\d+)$/.exec(plain) ?? [];
  if (digits === undefined) return { why: `${typed} is not a telephone number` };
  if (international === undefined && digits.length === 7) return { why: `${typed} has no area code` };
  const number = international === undefined && digits.length === 10 ? `+1${digits}` : `+${digits}`;
  const isFull = international !== undefined || /^\+1\d{10}$/.test(number);
  return isFull && isDialable(number) ? { number } : { why: `${typed} is not a telephone number that can exist` };
}
