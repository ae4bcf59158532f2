const COLOUR = /^#[0-9a-f]{6}$/i;

/** Tells whether a text is a colour that the API takes: `#rrggbb`. */
export const isColour = (text: string): boolean => COLOUR.test(text);

/** Returns the contrast of two colours (`#rrggbb`), 1 to 21 (WCAG 2.2). */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Returns black or white, whichever can be read better on the colour. */
export function textColourOn(colour: string): '#000000' | '#ffffff' {
  return contrastOf(colour, '#000000') >= contrastOf(colour, '#ffffff') ? '#000000' : '#ffffff';
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
