/** GSM-7 as Telnyx publishes its own: without Ç, ¤ and the Greek capitals of GSM 03.38. */
const GSM_BASIC =
  '@£$¥èéùìò\nØø\rÅå_ÆæßÉ !"#%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** Each of these characters takes two septets. */
const GSM_EXTENDED = '^{}\\[~]|€';

export type TextParts = { readonly encoding: 'GSM-7' | 'UCS-2'; readonly parts: number };

/** Counts the parts of a text: 160 or 153 places of GSM-7, 70 or 67 units of UCS-2. */
export function countParts(text: string): TextParts {
  const places = gsmPlaces(text);
  if (places !== undefined) return { encoding: 'GSM-7', parts: places <= 160 ? 1 : Math.ceil(places / 153) };
  return { encoding: 'UCS-2', parts: text.length <= 70 ? 1 : Math.ceil(text.length / 67) };
}

/** Returns how many places of GSM-7 a text takes, or undefined if it has a character outside of it. */
function gsmPlaces(text: string): number | undefined {
  let places = 0;
  for (const character of text) {
    if (GSM_BASIC.includes(character)) places += 1;
    else if (GSM_EXTENDED.includes(character)) places += 2;
    else return undefined;
  }
  return places;
}
