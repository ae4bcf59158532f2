/** Returns an address or a path without the slashes at its end. */
export function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}
