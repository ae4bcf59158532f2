/**
 * Returns the part of an address that identifies a visitor: a whole IPv4 address, or the first 64 bits of an IPv6
 * address, the network of one household.
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length);
  const groups = [...first, ...Array<string>(zeros).fill('0'), ...last];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

function groupsOf(text: string): string[] {
  return text.split(':').filter((group) => group !== '');
}

/** Returns true if an Accept header names text/html itself; programs that accept anything send a range with a star. */
export function namesHtml(accept: string): boolean {
  return accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .some(([type, ...parameters]) => type === 'text/html' && !parameters.some((each) => /^q=0(\.0*)?$/.test(each)));
}
