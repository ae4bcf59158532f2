import type { Logger } from 'pino';
import type { BlobStore } from './blobs/blob-store.ts';
import type { Carriers } from './carriers/ports/carrier.ts';
import type { Bus } from './db/bus.ts';
import type { Database, Tx } from './db/database.ts';
import type { SingleFlight } from './lib/concurrency/single-flight.ts';
import type { Cipher } from './lib/crypto/cipher.ts';
import type { Metrics } from './lib/metrics.ts';
import type { Scope } from './lib/scope.ts';
import type { Clock } from './lib/time/clock.ts';
import type { OutboundPools } from './outbound/pools.ts';

/**
 * The parts of the running product, built once by `server/compose.ts`. Each function declares the parts it needs with
 * `Pick`, so that a test can pass just those.
 */
export type Context = {
  readonly settings: Settings;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly cipher: Cipher;
  readonly carriers: Carriers;
  /** Makes repeats of a request wait for the one that runs. */
  readonly singleFlight: SingleFlight;
  /** The modules' steps of deleting a tenant. */
  readonly teardown: readonly TeardownStep[];
  /** Carries messages between the processes on this database. */
  readonly bus: Bus;
  /** Stores the audio of recordings, voicemails and hold, media, and the documents of port-ins. */
  readonly blobs: BlobStore;
  /** Outgoing connections to hosts that callers chose. Live and test ledgers have separate pools. */
  readonly outbound: { readonly live: OutboundPools; readonly test: OutboundPools };
};

/**
 * A module's part in deleting a tenant, in the transaction that deletes it: release numbers, end campaigns, revoke
 * credentials.
 */
export type TeardownStep = (tx: Tx, scope: Scope, tenantId: string) => Promise<void>;

/** The settings that the domain and the HTTP edge read. */
export type Settings = {
  /** Base address for callers, without a trailing slash and without /v1. */
  readonly publicUrl: string;
  /** Base address of the media gateway: ws:// or wss://. */
  readonly mediaUrl: string;
  readonly rateLimit: boolean;
  /** True if test-mode webhook endpoints may use http on loopback. */
  readonly allowLocalWebhooks: boolean;
  /** Proxies in front of this program that add to X-Forwarded-For; 0: the peer of the connection is the visitor. */
  readonly trustedProxies: number;
  /** Most open connections: of the process, and of one address. The latter does not apply behind trusted proxies. */
  readonly clientConnectionsMax: number;
  readonly addressConnectionsMax: number;
  /** Days that the request log is kept; 0: no request is kept. */
  readonly requestLogDays: number;
};
