/**
 * Connection pools for requests to hosts that strangers chose: webhook receivers first of all.
 *
 * One pool per origin, at most `originsMax` of them, least recently used first out; a pool whose connections have all
 * closed is dropped at once, so memory follows what is connected and not what was ever asked for. Live and test
 * ledgers each have an instance, so that what is allowed in one can never be reused by the other.
 */
import { Pool } from 'undici';
import { bareHostname, checkTargetUrl } from './address-guard.ts';
import { createGuardedConnector, type Lookup } from './connector.ts';
import { exchange, type OutboundRequest, type OutboundResponse } from './exchange.ts';
import { OutboundError } from './outbound-error.ts';

export interface OutboundPoolOptions {
  /** Lets loopback hosts through, over plain http too. Test ledgers on a developer's machine only. */
  allowLoopback: boolean;
  /** DNS, TCP and TLS together; roughly: the client rounds it up by as much as a second. Default 10 s. */
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
  /** Takes no more requests and resolves when those under way have finished. */
  close(): Promise<void>;
  /** Cancels the requests under way and closes every connection. */
  destroy(): Promise<void>;
}

/** An unused connection is kept this long; a receiver's Keep-Alive header can stretch it a little. */
const IDLE_MS = 4_000;
const IDLE_MS_MAX = 15_000;
/** Before their last moment connections take no new request for this long, so that the last ones can finish. */
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
    return exchange(this.#poolOf(origin), path, request);
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

  /** Where a URL leads; kept, because parsing costs more than all else that happens here. */
  #targetOf(text: string): OutboundTarget {
    const known = this.#targets.get(text);
    if (known !== undefined) return known;
    const url = URL.parse(text);
    if (!url) throw new OutboundError('blocked_address', { message: 'The URL is not valid.' });
    // One pool, one Host header and one server name for a name with and without its root dot (RFC 6066 3).
    if (url.hostname.endsWith('.')) url.hostname = bareHostname(url.hostname);
    const target = { origin: url.origin, path: url.pathname + url.search };
    if (this.#targets.size >= this.#originsMax) this.#targets.clear();
    this.#targets.set(text, target);
    return target;
  }

  #poolOf(origin: string): Pool {
    const existing = this.#pools.get(origin);
    // No connection is older than its pool. undici's own limit looks at every connection's age at every request.
    if (existing && performance.now() - existing.openedAtMs < this.#useMs) {
      this.#pools.delete(origin);
      this.#pools.set(origin, existing);
      return existing.pool;
    }
    if (existing) this.#retire(origin);
    // Checked at registration already; rows can be older than the rule or come from somewhere else.
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
    this.#pools.set(origin, { pool, openedAtMs: performance.now() });
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

/** Makes an independent set of pools. */
export function createOutboundPools(options: OutboundPoolOptions): OutboundPools {
  return new OriginPools(options);
}
