import type { Logger } from 'pino';
import type { BlobStore } from './blobs/blob-store.ts';
import type { Carriers } from './carriers/ports/carrier.ts';
import type { Bus } from './db/bus.ts';
import type { Database, Tx } from './db/database.ts';
import type { Cipher } from './lib/cipher.ts';
import type { Clock } from './lib/clock.ts';
import type { Metrics } from './lib/metrics.ts';
import type { Scope } from './lib/scope.ts';
import type { SingleFlight } from './lib/single-flight.ts';
import type { OutboundPools } from './outbound/pools.ts';

/**
 * What the running product is made of, built once by `server/context.ts`. Each function declares the part it needs
 * with `Pick`, so that a test can hand it just that.
 */
export type Context = {
  readonly settings: Settings;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly cipher: Cipher;
  readonly carriers: Carriers;
  /** Repeats of a request wait here for the one that is running. */
  readonly singleFlight: SingleFlight;
  /** What the modules do when a tenant is deleted. */
  readonly teardown: readonly TeardownStep[];
  /** Reaches the other processes on this database. */
  readonly bus: Bus;
  /** Where the audio of recordings and voicemails is kept. */
  readonly blobs: BlobStore;
  /** Outgoing connections to strangers, live and test apart. */
  readonly outbound: { readonly live: OutboundPools; readonly test: OutboundPools };
};

/**
 * What a module does when a tenant goes, in the transaction that deletes it: give back numbers, end campaigns, revoke
 * credentials.
 */
export type TeardownStep = (tx: Tx, scope: Scope, tenantId: string) => Promise<void>;

/** The part of the configuration that the domain and the edge read. */
export type Settings = {
  /** Base address as callers see it, without a trailing slash and without /v1. */
  readonly publicUrl: string;
  /** Base address of the media gateway: ws:// or wss://. */
  readonly mediaUrl: string;
  readonly rateLimit: boolean;
  /** Test-mode endpoints may be http on loopback. */
  readonly allowLocalWebhooks: boolean;
  /** Proxies in front of this program that add to X-Forwarded-For; 0: whoever connects is the visitor. */
  readonly trustedProxies: number;
};
