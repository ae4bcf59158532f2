/**
 * Decides which addresses and URLs Dialplane connects to when a caller supplies them.
 *
 * The rule is an allow rule: an address passes only if it is known to be ordinary global unicast. Addresses with a
 * special meaning (IANA special-purpose registries, RFC 6890), unallocated addresses and text that cannot be parsed are
 * refused, and so is any range that this file does not name.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const ADDRESS_CLASSES = [
  'public',
  'loopback',
  'private',
  'link_local',
  'shared_nat',
  'multicast',
  'broadcast',
  'unspecified',
  'metadata',
  'translated',
  'reserved',
  'invalid',
] as const;
export type AddressClass = (typeof ADDRESS_CLASSES)[number];

const TARGET_URL_PROBLEMS = ['malformed', 'too_long', 'scheme', 'credentials', 'port', 'host'] as const;
export type TargetUrlProblem = (typeof TARGET_URL_PROBLEMS)[number];

export type TargetUrlCheck = { ok: true; url: URL } | { ok: false; reason: TargetUrlProblem; message: string };

export const URL_CHARS_MAX = 2048;

/**
 * Metadata services of cloud providers. Most of these addresses lie in ranges that are refused anyway. The last one is
 * Azure's, which is a public address and would pass otherwise.
 */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  '168.63.129.16',
]);

/** Address class by ipaddr.js's range name; a range that is not listed is `reserved`. */
const CLASS_OF_RANGE: Readonly<Record<string, AddressClass>> = {
  loopback: 'loopback',
  private: 'private',
  uniqueLocal: 'private',
  deprecatedSiteLocal: 'private',
  linkLocal: 'link_local',
  carrierGradeNat: 'shared_nat',
  multicast: 'multicast',
  broadcast: 'broadcast',
  unspecified: 'unspecified',
  ipv4Mapped: 'translated',
  rfc6145: 'translated',
  rfc6052: 'translated',
  '6to4': 'translated',
  teredo: 'translated',
};

/** RFC 4291 2.4: the only IPv6 space allocated for global unicast. */
const IPV6_GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** RFC 4291 2.5.5.1: deprecated, but a kernel may still treat it as IPv4. `::` and `::1` are classified before. */
const IPV6_V4_COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96');
/** RFC 6052 2.1: a DNS64 resolver on an IPv6-only network answers with these for every IPv4-only name. */
const NAT64_WELL_KNOWN = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

function classifyIPv4(address: ipaddr.IPv4): AddressClass {
  if (METADATA_ADDRESSES.has(address.toString())) return 'metadata';
  const range = address.range();
  return range === 'unicast' ? 'public' : (CLASS_OF_RANGE[range] ?? 'reserved');
}

function classifyIPv6(address: ipaddr.IPv6): AddressClass {
  if (METADATA_ADDRESSES.has(address.toString())) return 'metadata';
  if (address.match(NAT64_WELL_KNOWN)) {
    const embedded = new ipaddr.IPv4(address.toByteArray().slice(12));
    return classifyIPv4(embedded) === 'public' ? 'public' : 'translated';
  }
  const range = address.range();
  if (range !== 'unicast') return CLASS_OF_RANGE[range] ?? 'reserved';
  if (address.match(IPV6_GLOBAL_UNICAST)) return 'public';
  return address.match(IPV6_V4_COMPATIBLE) ? 'translated' : 'reserved';
}

/**
 * Returns the kind of network an address belongs to. Only `public` may be connected to on a caller's behalf.
 *
 * @param ip textual IPv4 (dotted decimal only) or IPv6 as a resolver returns it, without brackets. Anything else is
 * `invalid`, including an IPv6 zone id and an IPv4 in octal or hex. IPv6 forms that carry an IPv4 address are
 * `translated`, except NAT64's well-known prefix around a public one.
 */
export function classifyAddress(ip: string): AddressClass {
  if (ip.includes('%')) return 'invalid';
  const family = isIP(ip);
  if (family === 4) return classifyIPv4(ipaddr.IPv4.parse(ip));
  if (family === 6) return classifyIPv6(ipaddr.IPv6.parse(ip));
  return 'invalid';
}

/** Returns true for a public address, and with `allowLoopback` for loopback (callers on the same machine). */
export function isAddressAllowed(ip: string, options: { allowLoopback: boolean }): boolean {
  const addressClass = classifyAddress(ip);
  return addressClass === 'public' || (options.allowLoopback && addressClass === 'loopback');
}

/**
 * Returns a `URL.hostname` without the brackets of IPv6 and without the root dot of an absolute name (RFC 1034 3.1).
 */
export function bareHostname(hostname: string): string {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
}

/** RFC 6761 6.3: `localhost` and every name below it mean this machine, whatever a resolver answers. */
export function isLocalhostName(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}

/**
 * Endings of names that are local to a network and never public: RFC 6761 (localhost), RFC 6762 (local),
 * RFC 8375 (home.arpa), ICANN's reservation of 2024 (internal).
 */
const INTERNAL_ENDINGS = ['.localhost', '.local', '.internal', '.home.arpa'] as const;

/** Returns true for a name that cannot be public, whatever a resolver answers: one of those endings, or no dot. */
function isInternalName(hostname: string): boolean {
  return !hostname.includes('.') || INTERNAL_ENDINGS.some((ending) => `.${hostname}`.endsWith(ending));
}

function refuse(reason: TargetUrlProblem, message: string): TargetUrlCheck {
  return { ok: false, reason, message };
}

function parseUrl(text: string): URL | undefined {
  // The URL parser drops tabs and line breaks, trims blanks and reads `\` as `/`, so the parsed address would differ
  // from the text that people see.
  for (const character of text) {
    if (character <= ' ' || character === '\\' || character === '\u007f') return undefined;
  }
  return URL.canParse(text) ? new URL(text) : undefined;
}

/**
 * Checks a URL that a caller wants requests sent to. Does not resolve its name: a name is resolved and checked at every
 * connection, because its addresses can change.
 *
 * Accepted: https, any port but 0, no credentials, at most 2048 characters, a host that is a public name or a public
 * address in any notation. With `allowLocalHttp`, loopback hosts (127.0.0.0/8, `[::1]`,
 * `localhost`, `*.localhost`) are accepted too, over http as well as https.
 *
 * @returns the parsed URL, or a reason code with a sentence that can be shown to the caller.
 */
export function checkTargetUrl(text: string, options: { allowLocalHttp: boolean }): TargetUrlCheck {
  if (text.length > URL_CHARS_MAX) {
    return refuse('too_long', `The URL is longer than ${URL_CHARS_MAX} characters.`);
  }
  const url = parseUrl(text);
  // "localhost:8080/hooks" and "example.com:8080/hooks" parse, as URLs of the schemes "localhost:" and "example.com:".
  const hasScheme = /^https?:/i.test(text);
  const beginning = `The URL must begin with https://${options.allowLocalHttp ? ', or with http:// for localhost' : ''}.`;
  if (!url) return refuse('malformed', hasScheme ? 'The URL is not valid.' : beginning);
  if (!hasScheme) return refuse('scheme', beginning);
  if (url.username !== '' || url.password !== '') {
    return refuse('credentials', 'The URL must not contain a user name or password.');
  }
  if (url.port === '0') return refuse('port', 'Port 0 cannot be used.');

  const host = bareHostname(url.hostname);
  const isLiteral = isIP(host) !== 0;
  const isLoopback = isLiteral ? classifyAddress(host) === 'loopback' : isLocalhostName(host);
  if (isLoopback && options.allowLocalHttp) return { ok: true, url };
  if (url.protocol !== 'https:') return refuse('scheme', beginning);
  if (host === '' || host.endsWith('.')) return refuse('malformed', 'The host name of the URL is not valid.');
  if (isLiteral ? classifyAddress(host) !== 'public' : isInternalName(host)) {
    return refuse('host', 'The host of the URL must be reachable on the public internet.');
  }
  return { ok: true, url };
}

/**
 * Checks the address of a WebSocket that a caller asks the server to open, by the rules of `checkTargetUrl` with wss
 * and ws for https and http. A fragment is refused (RFC 6455, 3).
 */
export function checkSocketUrl(text: string, { allowLocalWs }: { allowLocalWs: boolean }): TargetUrlCheck {
  const beginning = `The URL must begin with wss://${allowLocalWs ? ', or with ws:// for localhost' : ''}.`;
  if (!/^wss?:/i.test(text)) return refuse('scheme', beginning);
  if (text.includes('#')) return refuse('malformed', 'The URL of a WebSocket has no fragment.');
  const check = checkTargetUrl(text.replace(/^ws/i, 'http'), { allowLocalHttp: allowLocalWs });
  if (!check.ok) return check.reason === 'scheme' ? refuse('scheme', beginning) : check;
  return { ok: true, url: new URL(text) };
}
