import { hash, timingSafeEqual } from 'node:crypto';

/** Compares two texts in a time that does not depend on where they differ. For tokens. */
export function isSameText(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}
