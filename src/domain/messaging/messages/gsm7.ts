/**
 * 3GPP TS 23.038 6.2.1, in table order. ESC (0x1B) is left out: it announces the extension table and is not a
 * character.
 */
const BASIC_CHARACTERS =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

/** 3GPP TS 23.038 6.2.1.1: each is sent as ESC and one more septet. */
const EXTENSION_CHARACTERS = '\f^{}\\[~]|€';

/** All characters except the euro sign are below this, so the lookup table is one kilobyte. */
const TABLE_SIZE = 0x400;
const EURO_SIGN = 0x20ac;

const septetTable = new Uint8Array(TABLE_SIZE);
for (const character of BASIC_CHARACTERS) septetTable[character.charCodeAt(0)] = 1;
for (const character of EXTENSION_CHARACTERS) {
  if (character.charCodeAt(0) < TABLE_SIZE) septetTable[character.charCodeAt(0)] = 2;
}

/** Returns the septets of a UTF-16 code unit in GSM-7: 1 (basic), 2 (extension), or 0 if the alphabet lacks it. */
export function septetsOf(codeUnit: number): number {
  if (codeUnit < TABLE_SIZE) return septetTable[codeUnit] as number;
  return codeUnit === EURO_SIGN ? 2 : 0;
}

/** Characters whose Unicode decomposition is not in GSM-7, or is a poor replacement. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‛': "'",
  '′': "'",
  '`': "'",
  '´': "'",
  ʼ: "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '‟': '"',
  '″': '"',
  '«': '"',
  '»': '"',
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '―': '-',
  '−': '-',
  '•': '-',
  '·': '-',
  '⁄': '/',
  '×': 'x',
  '\t': ' ',
  '\u2028': '\n',
  '\u2029': '\n',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  œ: 'oe',
  Œ: 'OE',
  ı: 'i',
  ħ: 'h',
  Ħ: 'H',
  ẞ: 'SS',
};

function transliterateCharacter(character: string): string {
  const replaced = REPLACEMENTS[character];
  if (replaced !== undefined) return replaced;
  let result = '';
  for (const part of character.normalize('NFKD')) {
    const kept = REPLACEMENTS[part] ?? part;
    if (septetsOf(kept.charCodeAt(0)) > 0) result += kept;
  }
  return result;
}

/**
 * Converts text to GSM-7. Accents that the alphabet lacks are dropped, typographic quotes and dashes become plain ones.
 * Characters without a counterpart (emoji, other scripts) are left out, so the result may be empty.
 */
export function toGsm7(text: string): string {
  let result = '';
  for (const character of text.normalize('NFC')) {
    result += septetsOf(character.charCodeAt(0)) > 0 ? character : transliterateCharacter(character);
  }
  return result;
}
