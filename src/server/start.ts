/** Starts the program in order and stops it in reverse. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Context } from '../context.ts';
import { findOrStoreSealed } from '../db/installation.ts';
import { migrate } from '../db/migrate.ts';
import { findPause, pauseInstallation } from '../db/pause.ts';
import { listAccounts, makeSignInLink, START_LINK_LIFE_S } from '../domain/accounts/index.ts';
import { addRuntimeMetrics } from '../lib/metrics.ts';
import { type ComposeOptions, compose, type Product } from './compose.ts';
import type { Config } from './config.ts';
import { type ConsoleBuilder, createConsoleBuilder } from './console-builder.ts';
import { openDataFolder, readOrMakeSecret } from './data-folder.ts';
import { DiskFullError, FREE_SPACE } from './embedded-postgres/disk-full.ts';
import { startEmbeddedPostgres } from './embedded-postgres/start.ts';
import type { User } from './embedded-postgres/users.ts';
import { type FirstKeys, firstKeys } from './first-keys.ts';
import { recordInstallation } from './installation-use.ts';
import { openMetricsListener } from './metrics-listener.ts';
import { becomeUser, planUser } from './privileges.ts';
import { openSealed, sealText } from './sealed-text.ts';
import { explainListenError, explainStartError, StartError } from './start-error.ts';

export type Running = {
  readonly product: Product;
  /** Base address, without /v1. */
  readonly url: string;
  /** Address of the metrics' own listener; null if there is none. */
  readonly metricsUrl: string | null;
  /** Undefined without an embedded database, or if the file of the keys was removed. */
  readonly keys: FirstKeys | undefined;
  /** True if the database is the embedded one, which only this machine reaches. */
  readonly isEmbedded: boolean;
  /** True if the database has no account yet. */
  readonly lacksAccount: boolean;
  /** Makes a link that signs an operator in to the console; null if this process does not serve the console. */
  readonly makeConsoleLink: (() => Promise<string>) | null;
  /** Resolves with a sentence about it if the embedded database ends unexpectedly; never otherwise. */
  readonly lost: Promise<string>;
  /**
   * Takes the process out of service (with `lameDuck` after the time in which balancers notice), and waits until the
   * audio on this node has ended, at most the configured drain time.
   */
  drain(options: { lameDuck: boolean }): Promise<void>;
  /** Finishes the work under way and stops; safe to call twice. */
  stop(): Promise<void>;
};

type StartOptions = {
  config: Config;
  log: Logger;
  /** True to pause the installation before anything is sent. */
  paused?: boolean;
  /** Called with a sentence for each step that takes time. */
  onProgress: (text: string) => void;
  /** Cancels the start: its steps so far are undone, and it throws the signal's reason. */
  signal?: AbortSignal;
};

/**
 * Opens the database (the embedded one, or DATABASE_URL), migrates it, makes the first account of an embedded install
 * and starts the roles of the configuration.
 * @throws StartError with the reason and the next step
 */
export async function startServer(options: StartOptions): Promise<Running> {
  const { log, onProgress, signal } = options;
  let { config } = options;
  const undo: (() => Promise<void> | void)[] = [];
  const stopAll = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  const goOn = () => signal?.throwIfAborted();
  try {
    config = await withPort(config);
    warnOfOpenLoopback(config, onProgress);
    const { user, note } = planUser(config.user);
    if (note !== undefined) onProgress(note);
    const { databaseUrl, secret, lost } = await openInstall({ config, log, onProgress, user }, undo);
    goOn();
    const applied = await migrate(databaseUrl);
    if (applied.length > 0) onProgress(`Applied ${applied.length} migrations`);
    goOn();
    const consoleBuilder = consoleOf(config, log);
    const product = await composeProduct(config, { databaseUrl, secret, log, consoleApp: consoleBuilder });
    undo.push(() => product.close());
    await checkSecret(product.context);
    await checkUse(product.context, options, config);
    goOn();
    const metricsUrl = await listen(product, { config, onProgress }, undo);
    const url = config.publicUrl;
    const keys = config.databaseUrl === null ? await firstKeys(product, config, url) : undefined;
    if (user !== null) becomeUser(user, foldersOf(config));
    // Ready from here on, so that a client that waits for /readyz finds the keys.
    await startRoles(product, config);
    if (consoleBuilder !== null) {
      consoleBuilder.start();
      undo.push(() => consoleBuilder.stop());
    }
    const lacksAccount = keys === undefined && (await listAccounts(product.context.db)).length === 0;
    goOn();
    const drain: Running['drain'] = async ({ lameDuck }) => {
      // A process that only works has no traffic that a balancer could send elsewhere.
      const hasTraffic = config.roles.includes('api') || config.roles.includes('gateway');
      await product.leave(lameDuck && hasTraffic ? config.lameDuckSeconds * 1000 : 0);
      await product.drain(config.drainSeconds * 1000);
    };
    const isEmbedded = config.databaseUrl === null;
    const makeConsoleLink =
      consoleBuilder === null
        ? null
        : () => makeSignInLink(product.context.db, { accountId: null, publicUrl: url, lifeS: START_LINK_LIFE_S });
    const found = { url, metricsUrl, keys, isEmbedded, lacksAccount, makeConsoleLink };
    return { product, ...found, lost, drain, stop: stopAll };
  } catch (error) {
    await stopAll();
    // A Ctrl-C also reaches the child programs, so a failure after it is a consequence of the Ctrl-C.
    goOn();
    throw explainStartError(error, config);
  }
}

type ProductParts = Pick<ComposeOptions, 'databaseUrl' | 'secret' | 'log' | 'consoleApp'>;

function composeProduct(config: Config, parts: ProductParts): Promise<Product> {
  return compose({
    ...parts,
    connectionsMax: config.databaseConnections,
    blobs: config.blobs,
    speech: config.speech,
    prices: config.prices,
    settings: {
      publicUrl: config.publicUrl,
      mediaUrl: config.mediaUrl,
      rateLimit: config.rateLimit,
      allowLocalWebhooks: config.allowLocalWebhooks,
      trustedProxies: config.trustedProxies,
      clientConnectionsMax: config.clientConnectionsMax,
      addressConnectionsMax: config.addressConnectionsMax,
      requestLogDays: config.requestLogDays,
    },
    redisUrl: config.redisUrl,
    probesOnly: !config.roles.includes('api'),
    metricsToken: config.metrics.token,
  });
}

/** Returns the console of a process with this configuration; null if it does not serve one. */
function consoleOf({ console, roles }: Config, log: Logger): ConsoleBuilder | null {
  if (console === 'off' || !roles.includes('api')) return null;
  return createConsoleBuilder(log, { builds: console === 'on' });
}

type Undo = (() => Promise<void> | void)[];
type Install = { databaseUrl: string; secret: string; lost: Promise<string> };

/**
 * Returns the database's address and the encryption secret; locks the folder of an embedded install and starts its
 * server.
 */
async function openInstall(
  { config, log, onProgress, user }: Pick<StartOptions, 'config' | 'log' | 'onProgress'> & { user: User | null },
  undo: Undo,
): Promise<Install> {
  if (config.databaseUrl !== null) {
    return {
      databaseUrl: config.databaseUrl,
      secret: config.secret as string,
      lost: Promise.withResolvers<string>().promise,
    };
  }
  const folder = await openDataFolder(config.dataFolder);
  undo.push(() => folder.release());
  const secret = config.secret ?? readOrMakeSecret(folder.path);
  const options = { folder: folder.path, log, onProgress, becomes: user };
  const postgres = await startEmbeddedPostgres(options).catch((error: unknown) => {
    throw explainEmbedded(error, folder.path);
  });
  undo.push(() => postgres.stop());
  return { databaseUrl: postgres.connectionString, secret, lost: postgres.ended.then(postgres.explainEnd) };
}

/** Explains an error of PostgreSQL itself; errors of the system are explained elsewhere. */
function explainEmbedded(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || 'syscall' in error) return error;
  if (error instanceof DiskFullError) return new StartError(error.message, FREE_SPACE, error);
  return new StartError(
    `The embedded PostgreSQL of ${folder} cannot be started: ${error.message}`,
    'Correct the cause, or set DATABASE_URL to a PostgreSQL of your own (15 or newer).',
    error,
  );
}

/** Chooses a free port for port 0, before the product is built, because addresses in replies contain it. */
async function withPort(config: Config): Promise<Config> {
  if (config.port !== 0) return config;
  const probe = createServer();
  probe.listen(0, config.host);
  await once(probe, 'listening').catch((error: unknown) => {
    throw explainListenError(error, config);
  });
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  const named = (url: string) => url.replace(/^(\w+:\/\/localhost):0$/, `$1:${port}`);
  return { ...config, port, publicUrl: named(config.publicUrl), mediaUrl: named(config.mediaUrl) };
}

/**
 * Opens the listeners: the public one (a process without the API serves probes only) and that of the metrics.
 * @returns the address of the metrics, null if they have no listener
 */
async function listen(
  product: Product,
  { config, onProgress }: Pick<StartOptions, 'config' | 'onProgress'>,
  undo: Undo,
): Promise<string | null> {
  addRuntimeMetrics(product.context.metrics);
  await product.app.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
    throw explainListenError(error, config);
  });
  if (config.metrics.port === null) return null;
  const listener = await openMetricsListener(product.context, { port: config.metrics.port, onProgress });
  undo.push(() => listener.close());
  return listener.url;
}

async function startRoles(product: Product, config: Config): Promise<void> {
  const { server } = product.app;
  await product.start({
    server: config.roles.includes('api') ? server : null,
    work: config.roles.includes('worker'),
    // The data folder is locked, so no other process uses its database.
    alone: config.databaseUrl === null,
    ...(config.roles.includes('gateway') && { gateway: { server, url: config.gatewayUrl ?? ownUrl(config) } }),
  });
}

/** The folders that the user of the process writes to. */
function foldersOf({ databaseUrl, dataFolder, blobs }: Config) {
  return {
    dataFolder: databaseUrl === null ? dataFolder : null,
    blobFolder: blobs.kind === 'folder' ? blobs.folder : null,
  };
}

/** Says so if other machines can reach the API while test keys can make it send requests to this machine. */
function warnOfOpenLoopback({ host, allowLocalWebhooks, roles }: Config, onProgress: (text: string) => void): void {
  const isLocal = host === 'localhost' || host === '::1' || host.startsWith('127.');
  if (isLocal || !allowLocalWebhooks || !roles.includes('api')) return;
  onProgress(
    `Warning: HOST is ${host}, so other machines reach this API, and webhooks of test keys may go to programs on this machine. Set DIALPLANE_ALLOW_LOCAL_WEBHOOKS=off if anyone else has a test key.`,
  );
}

const EVERYWHERE = new Set(['0.0.0.0', '::']);

/** Returns the address of this node for other nodes, which must be able to resolve its host name. */
function ownUrl({ host, port }: Config): string {
  const name = EVERYWHERE.has(host) ? hostname() : host;
  return `ws://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/**
 * Checks that this process can decrypt data of the installation.
 * @throws StartError if DIALPLANE_SECRET is not the secret of this database
 */
async function checkSecret({ db, cipher }: Context): Promise<void> {
  const sealed = await findOrStoreSealed(db, sealText(cipher));
  try {
    openSealed(cipher, sealed);
  } catch (error) {
    throw new StartError(
      'DIALPLANE_SECRET does not open what is encrypted in this database.',
      'Give every process the secret that the database was first used with; older ones follow a new one after a comma.',
      error,
    );
  }
}

/** Pauses the installation if asked to, and says what an operator must know of the database before it is used. */
async function checkUse(context: Context, { paused, onProgress }: StartOptions, config: Config): Promise<void> {
  if (paused) await pauseInstallation(context.db);
  const warning = await recordInstallation(context, config);
  if (warning !== undefined) onProgress(warning);
  const since = await findPause(context.db);
  if (since === undefined) return;
  onProgress(
    `Paused since ${since.toISOString()}: nothing is sent, and the API answers reads only, until "dialplane resume".`,
  );
}
