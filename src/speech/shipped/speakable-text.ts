/** Texts as flite can read them: in ASCII, in paragraphs of a bounded length. */
import { SpeechError } from '../speech-error.ts';

/**
 * The words for the signs of currencies. A sign is written before its amount; its words are spoken after the amount.
 */
const CURRENCIES: Readonly<Record<string, string>> = { '€': 'euros', '£': 'pounds', '¥': 'yen' };

/** Characters that have no decomposition in Unicode. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ẞ: 'SS', æ: 'ae', Æ: 'AE', œ: 'oe', Œ: 'OE', ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D' },
  ...{ ð: 'd', Ð: 'D', þ: 'th', Þ: 'Th', ħ: 'h', Ħ: 'H', ı: 'i' },
  ...{ '‘': "'", '’': "'", '“': '"', '”': '"', '⁄': '/', '‐': '-', '‑': '-', '–': '-', '×': ' times ' },
  ...{ '°': ' degrees ', '€': ' euros ', '£': ' pounds ', '¥': ' yen ' },
};

/**
 * From the first length on, a paragraph ends at the end of its sentence. From the second on, it ends at the end of its
 * word. Longer words are cut.
 */
const PARAGRAPH_CHARS = 200;
const PARAGRAPH_CHARS_MAX = 400;
const WORD = /\S{1,60}/g;

/**
 * Returns a text in ASCII: letters without their accents, currencies as words, other symbols left out. Paragraphs are
 * separated by an empty line.
 * @throws SpeechError for a text with letters or digits of another script than Latin
 */
export function speakableText(text: string): string {
  const decomposed = text
    // A dash between words is a pause. Between digits it means "to", which is how the voice reads a hyphen.
    .replaceAll(/\s[–—]\s|—/gu, ', ')
    // Puts a space before a fraction or a raised digit, because these decompose to digits.
    .replaceAll(/\p{No}/gu, ' $&')
    .replaceAll(/([€£¥])\s?(\d+(?:[.,]\d+)*)/gu, (_, symbol: string, amount: string) => {
      return `${amount} ${CURRENCIES[symbol]}`;
    })
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/\P{ASCII}/gu, (character) => REPLACEMENTS[character] ?? character);
  if (/(?!\p{ASCII})[\p{L}\p{N}]/u.test(decomposed)) {
    throw new SpeechError('the voice that ships with Dialplane reads texts in Latin letters alone');
  }
  return inParagraphs(decomposed.replaceAll(/[^\x21-\x7e]+/g, ' '));
}

/** Breaks a text that flite would not break: it holds a sentence in memory, a third of a megabyte for each second. */
function inParagraphs(text: string): string {
  const paragraphs: string[] = [];
  let paragraph = '';
  for (const [word] of text.matchAll(WORD)) {
    paragraph += paragraph === '' ? word : ` ${word}`;
    const isLong = paragraph.length >= PARAGRAPH_CHARS && /[.!?]$/.test(word);
    if (!isLong && paragraph.length < PARAGRAPH_CHARS_MAX) continue;
    paragraphs.push(paragraph);
    paragraph = '';
  }
  return [...paragraphs, paragraph].join('\n\n').trim();
}
