/** The pictures of the console's pages: their looks, and the names of their files. */
import type { Place } from './places.ts';

export const LOOKS = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'narrow', colorScheme: 'light', viewport: { width: 360, height: 740 } },
] as const;

/** The file of a picture in docs/screenshots/. */
export const pictureOf = ({ name }: Place, look: string): string => `${name}-${look}.webp`;
