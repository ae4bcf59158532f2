/** Text that is already markup. All other text in a page is escaped. */
export type Html = { readonly markup: string };

type Piece = string | number | Html | readonly Html[];

/** Template tag that escapes each piece that is not Html itself. */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  const markup = parts.reduce((text, part, index) => text + render(pieces[index - 1] as Piece) + part);
  return { markup };
}

function render(piece: Piece): string {
  if (typeof piece === 'string' || typeof piece === 'number') return escapeText(String(piece));
  return 'markup' in piece ? piece.markup : piece.map((part) => part.markup).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for elements and quoted attributes. */
function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
