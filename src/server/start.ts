/** Starts the program in order and stops it in reverse. */
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { migrate } from '../db/migrate.ts';
import { createAccount, findAccount, listAccounts } from '../domain/accounts/index.ts';
import { compose, type Product } from './compose.ts';
import type { Config } from './config.ts';
import { type InstallKeys, keysFile, openDataFolder, readKeys, readOrMakeSecret, writeKeys } from './data-folder.ts';
import { startEmbeddedPostgres } from './embedded-postgres/start.ts';
import { explainStartError } from './start-error.ts';

export type Running = {
  readonly product: Product;
  /** Base address, without /v1. */
  readonly url: string;
  /** Keys of the first account of an embedded install; `fresh` on the start that made them. */
  readonly keys: (InstallKeys & { fresh: boolean; file: string }) | undefined;
  /** The embedded database went away by itself; resolves never otherwise. */
  readonly lost: Promise<string>;
  /** Finishes what is under way and ends; safe to call twice. */
  stop(): Promise<void>;
};

type StartOptions = {
  config: Config;
  log: Logger;
  /** Told in a sentence what takes time. */
  onProgress: (text: string) => void;
};

/**
 * Opens the database (the embedded one, or DATABASE_URL), migrates it, makes the first account of an embedded install
 * and begins to serve the roles of the configuration.
 * @throws StartError with what is in the way and the next step
 */
export async function startServer({ config, log, onProgress }: StartOptions): Promise<Running> {
  const undo: (() => Promise<void> | void)[] = [];
  const stopAll = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const { databaseUrl, secret, lost } = await openInstall({ config, log, onProgress }, undo);
    const applied = await migrate(databaseUrl);
    if (applied.length > 0) onProgress(`Applied ${applied.length} migrations`);
    const product = await compose({
      databaseUrl,
      secret,
      log,
      prices: config.prices,
      settings: {
        publicUrl: config.publicUrl,
        mediaUrl: config.mediaUrl,
        rateLimit: config.rateLimit,
        allowLocalWebhooks: config.allowLocalWebhooks,
        trustedProxies: config.trustedProxies,
      },
    });
    undo.push(() => product.close());
    const url = await serve(product, config);
    const keys = config.databaseUrl === null ? await firstKeys(product, config, url) : undefined;
    return { product, url, keys, lost, stop: stopAll };
  } catch (error) {
    await stopAll();
    throw explainStartError(error, config);
  }
}

type Undo = (() => Promise<void> | void)[];
type Install = { databaseUrl: string; secret: string; lost: Promise<string> };

/** The database's address and the encryption secret; for an embedded install the folder is taken and the server run. */
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
  const postgres = await startEmbeddedPostgres({ folder: folder.path, log, onProgress });
  undo.push(() => postgres.stop());
  return { databaseUrl: postgres.connectionString, secret, lost: postgres.ended };
}

/** Listens where the API is served; a process with other roles only runs. Returns the base address. */
async function serve(product: Product, config: Config): Promise<string> {
  const work = config.roles.includes('worker');
  if (!config.roles.includes('api')) {
    await product.start({ server: null, work });
    return config.publicUrl;
  }
  await product.app.listen({ host: config.host, port: config.port });
  await product.start({ server: product.app.server, work });
  const { port } = product.app.server.address() as AddressInfo;
  return config.port === 0 ? `http://localhost:${port}` : config.publicUrl;
}

/** The first account's keys, made on the first start and kept in the data folder from then on. */
async function firstKeys({ context }: Product, config: Config, url: string): Promise<Running['keys']> {
  const file = keysFile(config.dataFolder);
  const kept = readKeys(config.dataFolder);
  // A file without its account is from a first start that was killed before its commit.
  if (kept !== undefined && (await findAccount(context.db, kept.account_id)) !== undefined) {
    if (kept.base_url !== url) writeKeys(config.dataFolder, { ...kept, base_url: url });
    return { ...kept, base_url: url, fresh: false, file };
  }
  // Accounts without a key file: somebody has taken it away, and keys cannot be read back. More can be made.
  if ((await listAccounts(context.db)).length > 0) return undefined;
  return context.db.transaction(async (tx) => {
    const account = await createAccount(tx, 'First account');
    const keys = { account_id: account.id, test_key: account.test_key, live_key: account.live_key, base_url: url };
    // Written before the commit: a crash in between leaves a file that the next start overwrites, never an account
    // whose keys nobody has.
    writeKeys(config.dataFolder, keys);
    return { ...keys, fresh: true, file };
  });
}
