/** Makes the product of an open database, and serves it. This module is loaded while the database starts. */
import type { Server } from 'node:http';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Context } from '../../context.ts';
import { migrate } from '../../db/migrate.ts';
import { findPause, pauseInstallation } from '../../db/pause.ts';
import { listAccounts, makeSignInLink, START_LINK_LIFE_S } from '../../domain/accounts/index.ts';
import { addRuntimeMetrics } from '../../lib/metrics.ts';
import { PROGRAM } from '../../lib/program.ts';
import { createLocalVoice } from '../../speech/local-voice.ts';
import { type CellSet, createCellSet } from '../cells/cell-set.ts';
import { attachFront } from '../cells/front.ts';
import { refuseCell } from '../cells/is-cell.ts';
import { logInByPlace } from '../cells/log-in-elsewhere.ts';
import { openCell } from '../cells/open-cell.ts';
import { sharersByPlace } from '../cells/sharers-by-place.ts';
import { type ComposeOptions, compose, type Product } from '../compose.ts';
import { type ConsoleBuilder, createConsoleBuilder } from '../console/console-builder.ts';
import type { User } from '../embedded-postgres/users.ts';
import { checkSecret } from '../install/check-secret.ts';
import { firstKeys } from '../install/first-keys.ts';
import { recordInstallation } from '../install/installation-use.ts';
import { becomeUser } from '../install/privileges.ts';
import { openMetricsListener } from '../metrics/metrics-listener.ts';
import type { Config } from '../settings/config.ts';
import type { Install, Running, Undo } from './running.ts';
import { explainListenError } from './start-error.ts';

type ServeOptions = {
  readonly config: Config;
  readonly log: Logger;
  readonly paused: boolean;
  readonly user: User | null;
  onProgress(text: string): void;
  /** Throws if the start was cancelled. */
  requireNotCancelled(): void;
};

type Served = Omit<Running, 'lost' | 'stop'>;

/** Migrates the database, makes the first account of an embedded install, and starts the configured roles. */
export async function serve(options: ServeOptions, install: Install, undo: Undo): Promise<Served> {
  const { config, log, onProgress, user, requireNotCancelled } = options;
  const { databaseUrl, secret } = install;
  const consoleBuilder = consoleOf(config, log);
  // The product is made during the migration, because it sends no query before it listens.
  const migrating = migrateFirst(install, config, log);
  const places: { first: Product | undefined; cells: CellSet | undefined } = { first: undefined, cells: undefined };
  const logInElsewhere = logInByPlace(places);
  const productOptions = optionsOf(config, {
    ...{ databaseUrl, secret, log, logInElsewhere, sharersOf: sharersByPlace(places) },
    consoleApp: consoleBuilder,
  });
  const composing = compose(productOptions);
  const [, composed] = await Promise.allSettled([migrating, composing]);
  if (composed.status === 'rejected') {
    await migrating;
    throw composed.reason;
  }
  const product = composed.value;
  const cells = cellsOf(product, productOptions, options);
  Object.assign(places, { first: product, cells });
  undo.push(async () => void (await Promise.all([cells.close(), product.close()])));
  const applied = await migrating;
  if (applied.length > 0) onProgress(`Applied ${applied.length} migrations`);
  requireNotCancelled();
  await checkSecret(product.context);
  await checkUse(product.context, options, config);
  const sockets = attachFront({ first: product, cells });
  await cells.read();
  await install.synced;
  requireNotCancelled();
  const metricsUrl = await listen(product, { config, onProgress }, undo);
  const url = config.publicUrl;
  const keys = config.databaseUrl === null ? await firstKeys(product, config, url) : undefined;
  if (user !== null) becomeUser(user, foldersOf(config));
  // The process becomes ready after this. So a client that waits for /readyz finds the keys.
  await cells.start();
  await startRoles(product, config, sockets);
  if (consoleBuilder !== null) {
    consoleBuilder.start();
    undo.push(() => consoleBuilder.stop());
  }
  const lacksAccount = keys === undefined && (await listAccounts(product.context.db)).length === 0;
  const makeConsoleLink =
    consoleBuilder === null
      ? null
      : () => makeSignInLink(product.context.db, { accountId: null, publicUrl: url, lifeS: START_LINK_LIFE_S });
  return { product, url, metricsUrl, keys, lacksAccount, makeConsoleLink, drain: drainOf([product, cells], config) };
}

/**
 * Migrates the first database, unless it belongs to a cell. An embedded database never does, because a cell's database
 * has an address.
 */
async function migrateFirst({ databaseUrl }: Install, config: Config, log: Logger): Promise<string[]> {
  if (config.databaseUrl !== null) await refuseCell({ databaseUrl, log });
  return await migrate(databaseUrl);
}

function drainOf(parts: readonly Pick<Product, 'leave' | 'drain'>[], config: Config): Running['drain'] {
  return async ({ lameDuck }) => {
    // Balancers send no traffic to a process that is only a worker.
    const hasTraffic = config.roles.includes('api') || config.roles.includes('gateway');
    const lameDuckMs = lameDuck && hasTraffic ? config.lameDuckSeconds * 1000 : 0;
    await Promise.all(parts.map((part) => part.leave(lameDuckMs)));
    await Promise.all(parts.map((part) => part.drain(config.drainSeconds * 1000)));
  };
}

type ProductParts = Pick<
  ComposeOptions,
  'databaseUrl' | 'secret' | 'log' | 'consoleApp' | 'logInElsewhere' | 'sharersOf'
>;

function optionsOf(config: Config, parts: ProductParts): ComposeOptions {
  return {
    ...parts,
    // All products of the process share one voice.
    localVoice: createLocalVoice({ log: parts.log }),
    connectionsMax: config.databaseConnections,
    blobs: config.blobs,
    speech: config.speech,
    prices: config.prices,
    oidc: config.oidc,
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
    redis: config.redis,
    probesOnly: !config.roles.includes('api'),
    metricsToken: config.metrics.token,
  };
}

/** Returns the cells of the installation, with the roles of this process. */
function cellsOf(first: Product, productOptions: ComposeOptions, options: ServeOptions): CellSet {
  const { config } = options;
  const { db, cipher, log, metrics } = first.context;
  const start = async (product: Product, audioPath: string) => {
    const onProgress = (text: string) => product.context.log.warn(text);
    await checkSecret(product.context);
    await checkUse(product.context, { paused: options.paused, onProgress }, config);
    await startRoles(product, config, product.app.server, audioPath);
  };
  const open = (cell: Parameters<typeof openCell>[0]) => openCell(cell, { options: productOptions, metrics, start });
  return createCellSet({ db, cipher, log, metrics, keys: first.keys, open });
}

/** Returns the console of a process with this configuration; null if it does not serve one. */
function consoleOf({ console, roles, databaseUrl }: Config, log: Logger): ConsoleBuilder | null {
  if (console === 'off' || !roles.includes('api')) return null;
  // An operator who configures a database also decides which packages are installed.
  return createConsoleBuilder(log, { builds: console === 'on', installs: databaseUrl === null });
}

/**
 * Opens the public listener and the listener of the metrics. The public listener of a process without the API serves
 * only probes.
 * @returns the address of the metrics; null if they have no listener
 */
async function listen(
  product: Product,
  { config, onProgress }: Pick<ServeOptions, 'config' | 'onProgress'>,
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

/**
 * @param server gets the sockets of the product
 * @param audioPath the prefix of a cell's audio paths
 */
async function startRoles(product: Product, config: Config, server: Server, audioPath = ''): Promise<void> {
  await product.start({
    server: config.roles.includes('api') ? server : null,
    work: config.roles.includes('worker'),
    // The embedded database belongs to the data folder, which is locked. So no other process uses it.
    alone: config.databaseUrl === null && audioPath === '',
    ...(config.roles.includes('gateway') && {
      gateway: { server, url: (config.gatewayUrl ?? ownUrl(config)) + audioPath },
    }),
  });
}

/** The folders that the user of the process writes to. */
function foldersOf({ databaseUrl, dataFolder, blobs }: Config) {
  return {
    dataFolder: databaseUrl === null ? dataFolder : null,
    blobFolder: blobs.kind === 'folder' ? blobs.folder : null,
  };
}

const EVERYWHERE = new Set(['0.0.0.0', '::']);

/** Returns the address of this node for other nodes. They must be able to resolve its host name. */
function ownUrl({ host, port }: Config): string {
  const name = EVERYWHERE.has(host) ? hostname() : host;
  return `ws://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/**
 * Pauses the installation if `paused` is set. Reports that another installation used the database, and that the
 * installation is paused.
 */
async function checkUse(
  context: Context,
  { paused, onProgress }: Pick<ServeOptions, 'paused' | 'onProgress'>,
  config: Config,
): Promise<void> {
  if (paused) await pauseInstallation(context.db);
  const warning = await recordInstallation(context, config);
  if (warning !== undefined) onProgress(warning);
  const since = await findPause(context.db);
  if (since === undefined) return;
  onProgress(
    `Paused since ${since.toISOString()}: nothing is sent, and the API answers reads only, until "${PROGRAM} resume".`,
  );
}
