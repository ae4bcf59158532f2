/** Addresses from outside: in a query, or in a text. */

/**
 * Returns a path of the console, or `/` for any other address. A browser reads a second slash, or a backslash, as the
 * start of a host, and drops control characters.
 */
export function ownPath(given: unknown): string {
  const isPath = typeof given === 'string' && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(given);
  return isPath ? given : '/';
}

/** Returns an address for a link, or undefined if it is not http(s): a `javascript:` address would run in the page. */
export function webAddress(given: string): string | undefined {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
}
