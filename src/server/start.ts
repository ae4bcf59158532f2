/** Starts the program in order and stops it in reverse. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Context } from '../context.ts';
import { findOrStoreSealed } from '../db/installation.ts';
import { migrate } from '../db/migrate.ts';
import { createAccount, findAccount, listAccounts } from '../domain/accounts/index.ts';
import { ignoreError } from '../lib/ignore-error.ts';
import { compose, type Product } from './compose.ts';
import type { Config } from './config.ts';
import { type InstallKeys, keysFile, openDataFolder, readKeys, readOrMakeSecret, writeKeys } from './data-folder.ts';
import { startEmbeddedPostgres } from './embedded-postgres/start.ts';
import { openSealed, sealText } from './sealed-text.ts';
import { explainListenError, explainStartError, StartError } from './start-error.ts';

export type Running = {
  readonly product: Product;
  /** Base address, without /v1. */
  readonly url: string;
  /** Keys of the first account of an embedded install; `fresh` on the start that made them. */
  readonly keys: (InstallKeys & { fresh: boolean; file: string }) | undefined;
  /** True if the database has no account yet. */
  readonly lacksAccount: boolean;
  /** Resolves if the embedded database ends unexpectedly; never otherwise. */
  readonly lost: Promise<string>;
  /** Waits until the audio on this node has ended, at most the configured drain time. */
  drain(): Promise<void>;
  /** Finishes the work under way and stops; safe to call twice. */
  stop(): Promise<void>;
};

type StartOptions = {
  config: Config;
  log: Logger;
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
    const { databaseUrl, secret, lost } = await openInstall({ config, log, onProgress }, undo);
    goOn();
    const applied = await migrate(databaseUrl);
    if (applied.length > 0) onProgress(`Applied ${applied.length} migrations`);
    goOn();
    const product = await compose({
      databaseUrl,
      connectionsMax: config.databaseConnections,
      secret,
      log,
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
      },
      redisUrl: config.redisUrl,
      probesOnly: !config.roles.includes('api'),
    });
    undo.push(() => product.close());
    await checkSecret(product.context);
    goOn();
    await serve(product, config);
    const url = config.publicUrl;
    const keys = config.databaseUrl === null ? await firstKeys(product, config, url) : undefined;
    const lacksAccount = keys === undefined && (await listAccounts(product.context.db)).length === 0;
    goOn();
    const drain = () => product.drain(config.drainSeconds * 1000);
    return { product, url, keys, lacksAccount, lost, drain, stop: stopAll };
  } catch (error) {
    await stopAll();
    // A Ctrl-C also reaches the child programs, so a failure after it is a consequence of the Ctrl-C.
    goOn();
    throw explainStartError(error, config);
  }
}

type Undo = (() => Promise<void> | void)[];
type Install = { databaseUrl: string; secret: string; lost: Promise<string> };

/**
 * Returns the database's address and the encryption secret; locks the folder of an embedded install and starts its
 * server.
 */
async function openInstall({ config, log, onProgress }: StartOptions, undo: Undo): Promise<Install> {
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
  const postgres = await startEmbeddedPostgres({ folder: folder.path, log, onProgress }).catch((error: unknown) => {
    throw explainEmbedded(error, folder.path);
  });
  undo.push(() => postgres.stop());
  return { databaseUrl: postgres.connectionString, secret, lost: postgres.ended };
}

/** Explains an error of PostgreSQL itself; errors of the system are explained elsewhere. */
function explainEmbedded(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || 'syscall' in error) return error;
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

/** Listens (a process without the API serves probes only) and starts the roles. */
async function serve(product: Product, config: Config): Promise<void> {
  await product.app.listen({ host: config.host, port: config.port }).catch((error: unknown) => {
    throw explainListenError(error, config);
  });
  const { server } = product.app;
  await product.start({
    server: config.roles.includes('api') ? server : null,
    work: config.roles.includes('worker'),
    // The data folder is locked, so no other process uses its database.
    alone: config.databaseUrl === null,
    ...(config.roles.includes('gateway') && { gateway: { server, url: config.gatewayUrl ?? ownUrl(config) } }),
  });
  ignoreError(product.app.compileSchemas(), product.context.log, 'each schema is compiled by the first request for it');
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

/** Returns the first account's keys, which the first start creates and keeps in the data folder. */
async function firstKeys({ context }: Product, config: Config, url: string): Promise<Running['keys']> {
  const file = keysFile(config.dataFolder);
  const kept = readKeys(config.dataFolder);
  // A file whose account does not exist is from a first start that was killed before its commit.
  if (kept !== undefined && (await findAccount(context.db, kept.account_id)) !== undefined) {
    if (kept.base_url !== url) writeKeys(config.dataFolder, { ...kept, base_url: url });
    return { ...kept, base_url: url, fresh: false, file };
  }
  // Accounts exist and the key file was removed: keys cannot be read back, but more can be made.
  if ((await listAccounts(context.db)).length > 0) return undefined;
  return context.db.transaction(async (tx) => {
    const account = await createAccount(tx, 'First account');
    const keys = { account_id: account.id, test_key: account.test_key, live_key: account.live_key, base_url: url };
    // Written before the commit: a crash in between leaves a file that the next start overwrites, never an account
    // without known keys.
    writeKeys(config.dataFolder, keys);
    return { ...keys, fresh: true, file };
  });
}
