/**
 * Opens connections to hosts that callers chose.
 *
 * The name is resolved once per connection, inside the socket's own lookup step. The socket connects to the addresses
 * that were checked, so DNS rebinding between check and connect is impossible. TLS still verifies the name.
 */
import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from '../lib/http/undici.ts';
import { after } from '../lib/time/time.ts';
import { bareHostname, isAddressAllowed, isLocalhostName } from './address-guard.ts';
import { bearContinue } from './interim-responses.ts';
import { OutboundError } from './outbound-error.ts';

interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Resolves a host name to every address it has; rejects or returns an empty list when it has none. */
export type Lookup = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export interface ConnectorOptions {
  allowLoopback: boolean;
  connectTimeoutMs: number;
  maxConnectionAgeMs: number;
  lookup?: Lookup | undefined;
  /** Trust anchors in PEM; they replace the runtime's. */
  ca?: string | undefined;
}

const LOCALHOST_ADDRESSES: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Queries the name servers directly. getaddrinfo would block one of the runtime's few threads while a slow name server
 * answers. It would also use search domains and the hosts file, which only lead to internal hosts.
 */
function createDnsLookup(): Lookup {
  const resolver = new Resolver({ timeout: 1500, tries: 2 });
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
    const addresses: ResolvedAddress[] = [];
    if (v4.status === 'fulfilled') for (const address of v4.value) addresses.push({ address, family: 4 });
    if (v6.status === 'fulfilled') for (const address of v6.value) addresses.push({ address, family: 6 });
    return addresses;
  };
}

/** Refuses a name if any of its addresses is refused: an honest receiver does not mix public and internal addresses. */
async function resolveChecked(hostname: string, lookup: Lookup, allowLoopback: boolean): Promise<ResolvedAddress[]> {
  let addresses: readonly ResolvedAddress[];
  if (isLocalhostName(bareHostname(hostname))) {
    addresses = LOCALHOST_ADDRESSES;
  } else {
    try {
      addresses = await lookup(hostname);
    } catch (cause) {
      throw new OutboundError('dns', { cause });
    }
  }
  if (addresses.length === 0) throw new OutboundError('dns');
  const refused = addresses.find(({ address }) => !isAddressAllowed(address, { allowLoopback }));
  if (refused) throw new OutboundError('blocked_address', { cause: `${hostname} resolves to ${refused.address}` });
  return addresses.map(({ address, family }) => ({ address, family }));
}

/**
 * Creates the lookup step of a socket: it gives all addresses of a name, or fails if any of them is refused. A literal
 * address never reaches it.
 */
export function createGuardedLookup({
  allowLoopback,
  lookup = createDnsLookup(),
}: Pick<ConnectorOptions, 'allowLoopback' | 'lookup'>): LookupFunction {
  return (hostname, _options, callback) => {
    resolveChecked(hostname, lookup, allowLoopback).then(
      (addresses) => callback(null, addresses),
      (error) => callback(error, []),
    );
  };
}

/**
 * Creates an undici connector that connects to allowed addresses only.
 *
 * The connect time-out (milliseconds) covers name resolution, TCP and TLS. A connection is destroyed at
 * `maxConnectionAgeMs`, also during a request; its pool retires it earlier. HTTP/1.1 only.
 */
export function createGuardedConnector(options: ConnectorOptions): buildConnector.connector {
  const { allowLoopback, maxConnectionAgeMs } = options;
  const connect = buildConnector({
    lookup: createGuardedLookup(options),
    // Also makes the socket look up all addresses at once and try them one after the other (RFC 8305).
    autoSelectFamily: true,
    allowH2: false,
    timeout: options.connectTimeoutMs,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });

  return (target, callback) => {
    // A literal address never reaches the lookup step.
    if (isIP(target.hostname) !== 0 && !isAddressAllowed(target.hostname, { allowLoopback })) {
      process.nextTick(callback, new OutboundError('blocked_address', { cause: target.hostname }), null);
      return;
    }
    connect(target, (...result) => {
      const socket = result[1];
      if (socket) {
        const ageTimer = after(maxConnectionAgeMs, () => socket.destroy()).unref();
        socket.once('close', () => ageTimer.cancel());
        bearContinue(socket);
      }
      callback(...result);
    });
  };
}
