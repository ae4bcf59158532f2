/**
 * Connection pools for requests to hosts that callers chose, such as webhook receivers.
 *
 * One pool per origin, at most `originsMax`; the least recently used is removed first. A pool whose connections have
 * all closed is removed immediately, so memory depends on open connections only. Live and test ledgers have an instance
 * each, so that neither can reuse a connection that only the other may open.
 */

import { Pool } from '../lib/http/undici.ts';
import { monotonicMs } from '../lib/time/time.ts';
import { bareHostname, checkTargetUrl } from './address-guard.ts';
import { createGuardedConnector, type Lookup } from './connector.ts';
import { exchange, type OutboundRequest, type OutboundResponse } from './exchange.ts';
import { OutboundError } from './outbound-error.ts';

export interface OutboundPoolOptions {
  /** Lets loopback hosts through, over plain http too. Test ledgers on a developer's machine only. */
  allowLoopback: boolean;
  /** DNS, TCP and TLS together. Approximate: the client rounds up by as much as a second. Default 10 s. */
  connectTimeoutMs?: number;
  /** No connection is older than this. Default five minutes. */
  maxConnectionAgeMs?: number;
  /** Connections per origin. Default 32. */
  connections?: number;
  /** Origins kept at once. Default 1024. */
  originsMax?: number;
  lookup?: Lookup;
  /** Trust anchors in PEM, in place of the runtime's. */
  ca?: string;
}

export interface OutboundPools {
  /**
   * Sends one request and reads its response. Any status is a response; redirects are not followed.
   * Rejects with OutboundError only.
   */
  request(request: OutboundRequest): Promise<OutboundResponse>;
  /** Number of origins with a pool. */
  readonly originCount: number;
  /** Refuses new requests; resolves when the requests under way have finished. */
  close(): Promise<void>;
  /** Cancels the requests under way and closes every connection. */
  destroy(): Promise<void>;
}

/** An unused connection is kept this long. A receiver's Keep-Alive header can make it a little longer. */
const IDLE_MS = 4_000;
const IDLE_MS_MAX = 15_000;
/** For this long before its maximum age a connection takes no new request, so that the last one can finish. */
const RETIREMENT_MS_MAX = 30_000;

type AgedPool = { readonly pool: Pool; readonly openedAtMs: number };
type OutboundTarget = { readonly origin: string; readonly path: string };

class OriginPools implements OutboundPools {
  readonly #options: OutboundPoolOptions;
  readonly #poolOptions: Pool.Options;
  readonly #originsMax: number;
  /** In order of use, least recent first. */
  readonly #pools = new Map<string, AgedPool>();
  readonly #targets = new Map<string, OutboundTarget>();
  readonly #useMs: number;
  readonly #retiring = new Set<Pool>();
  #closed = false;

  constructor(options: OutboundPoolOptions) {
    const { allowLoopback, connectTimeoutMs = 10_000, maxConnectionAgeMs = 300_000, lookup, ca } = options;
    this.#options = options;
    this.#originsMax = options.originsMax ?? 1024;
    this.#useMs = maxConnectionAgeMs - Math.min(RETIREMENT_MS_MAX, maxConnectionAgeMs / 2);
    this.#poolOptions = {
      connect: createGuardedConnector({ allowLoopback, connectTimeoutMs, maxConnectionAgeMs, lookup, ca }),
      connections: options.connections ?? 32,
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS_MAX,
    };
  }

  get originCount(): number {
    return this.#pools.size;
  }

  async request(request: OutboundRequest): Promise<OutboundResponse> {
    if (this.#closed) throw new OutboundError('aborted');
    const { origin, path } = this.#targetOf(request.url);
    return await exchange(this.#poolOf(origin), path, request);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const origin of [...this.#pools.keys()]) this.#retire(origin);
    await Promise.all([...this.#retiring].map((pool) => pool.close()));
  }

  async destroy(): Promise<void> {
    this.#closed = true;
    const pools = [...[...this.#pools.values()].map(({ pool }) => pool), ...this.#retiring];
    this.#pools.clear();
    this.#retiring.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  /** Returns a URL's origin and path. Cached, because parsing costs more than the rest of this function. */
  #targetOf(text: string): OutboundTarget {
    const known = this.#targets.get(text);
    if (known !== undefined) return known;
    const url = URL.parse(text);
    if (!url) throw new OutboundError('blocked_address', { message: 'The URL is not valid.' });
    // A name with its root dot shares one pool, Host header and server name with the name without it (RFC 6066 3).
    if (url.hostname.endsWith('.')) url.hostname = bareHostname(url.hostname);
    const target = { origin: url.origin, path: url.pathname + url.search };
    if (this.#targets.size >= this.#originsMax) this.#targets.clear();
    this.#targets.set(text, target);
    return target;
  }

  #poolOf(origin: string): Pool {
    const existing = this.#pools.get(origin);
    // No connection is older than its pool. undici's own limit looks at every connection's age at every request.
    if (existing && monotonicMs() - existing.openedAtMs < this.#useMs) {
      this.#pools.delete(origin);
      this.#pools.set(origin, existing);
      return existing.pool;
    }
    if (existing) this.#retire(origin);
    // Checked at registration too, but rows can be older than the rule or come from another program.
    const check = checkTargetUrl(origin, { allowLocalHttp: this.#options.allowLoopback });
    if (!check.ok) throw new OutboundError('blocked_address', { message: check.message });
    const leastRecent = this.#pools.keys().next();
    if (this.#pools.size >= this.#originsMax && !leastRecent.done) this.#retire(leastRecent.value);
    const pool = new Pool(origin, this.#poolOptions);
    const retireIfUnused = () => {
      if (this.#pools.get(origin)?.pool !== pool) return;
      const { connected, size } = pool.stats;
      if (connected === 0 && size === 0) this.#retire(origin);
    };
    pool.on('disconnect', retireIfUnused).on('connectionError', retireIfUnused);
    this.#pools.set(origin, { pool, openedAtMs: monotonicMs() });
    return pool;
  }

  #retire(origin: string): void {
    const pool = this.#pools.get(origin)?.pool;
    if (!pool) return;
    this.#pools.delete(origin);
    this.#retiring.add(pool);
    pool.close(() => this.#retiring.delete(pool));
  }
}

/** Creates an independent set of pools. */
export function createOutboundPools(options: OutboundPoolOptions): OutboundPools {
  return new OriginPools(options);
}
