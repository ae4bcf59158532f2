/** The beginnings of lines that telephones and mail programs add below a text, in the form that `fold` returns. */
const BEGINNINGS = [
  'sent from my ',
  'sent from mail',
  'sent from outlook',
  'sent from yahoo',
  'sent from gmail',
  'sent from aol',
  'sent from proton',
  'sent from samsung',
  'sent from att',
  'sent from the all new',
  'sent via ',
  'sent using ',
  'get outlook for ',
  'yahoo mail',
  'enviado desde ',
  'enviado de mi ',
  'obtener outlook para ',
  'envoye de mon ',
  'envoye depuis ',
  'envoye a partir de ',
  'telecharger outlook pour ',
  'obtenez outlook pour ',
];

/** A telephone's signature that follows the text on its last line. */
const INLINE = ' sent from my ';
const DEVICE_CHARS_MAX = 40;

/** "--" with a name and an address below. With more lines, it is not a signature. */
const SIGNED_LINES_MAX = 5;
const SIGNED_CHARS_MAX = 160;

/** Removes the signature of a telephone or a mail program from a folded text. A text that is only a signature stays. */
export function withoutSignature(folded: string): string {
  const lines = folded.split(/\r\n|[\r\n]/);
  const first = lines.findIndex((_, index) => index > 0 && isSignature(lines, index));
  const kept = (first === -1 ? lines : lines.slice(0, first)).join('\n').trimEnd();
  const inline = kept.lastIndexOf(INLINE);
  const cut = inline > 0 && kept.length - inline - INLINE.length <= DEVICE_CHARS_MAX && !kept.includes('\n', inline);
  return cut ? kept.slice(0, inline) : kept;
}

function isSignature(lines: readonly string[], index: number): boolean {
  const bare = lines[index]?.trim() ?? '';
  if (BEGINNINGS.some((beginning) => bare.startsWith(beginning))) return true;
  if (!bare.startsWith('--') || lines.length - index > SIGNED_LINES_MAX) return false;
  return lines.slice(index).join('').length <= SIGNED_CHARS_MAX;
}
