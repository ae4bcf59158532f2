/** Starts the program in order and stops it in reverse. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Logger } from 'pino';
import { DiskFullError, FREE_SPACE } from '../embedded-postgres/disk-full.ts';
import { startEmbeddedPostgres } from '../embedded-postgres/start.ts';
import type { User } from '../embedded-postgres/users.ts';
import { openDataFolder, readOrMakeSecret } from '../install/data-folder.ts';
import { planUser } from '../install/privileges.ts';
import type { Config } from '../settings/config.ts';
import { type Install, type Running, type Undo, undoAll } from './running.ts';
import { explainListenError, explainStartError, StartError } from './start-error.ts';

type StartOptions = {
  config: Config;
  log: Logger;
  /** If true, pauses the installation before anything is sent. */
  paused?: boolean;
  /** Called with a sentence for each step that takes time. */
  onProgress: (text: string) => void;
  /** Cancels the start. The steps so far are undone, and the start throws the signal's reason. */
  signal?: AbortSignal;
};

/**
 * Opens the database (the embedded one, or DATABASE_URL), migrates it, makes the first account of an embedded install
 * and starts the configured roles.
 * @throws StartError with the reason and the next step
 */
export async function startServer(options: StartOptions): Promise<Running> {
  const { log, onProgress, signal } = options;
  let { config } = options;
  const undo: Undo = [];
  const stopAll = () => undoAll(undo);
  const requireNotCancelled = () => signal?.throwIfAborted();
  try {
    config = await withPort(config);
    warnOfOpenLoopback(config, onProgress);
    const { user, note } = planUser(config.user);
    if (note !== undefined) onProgress(note);
    let serving: Promise<typeof import('./serve.ts')> | undefined;
    const loadProduct = () => {
      serving ??= import('./serve.ts');
    };
    const install = await openInstall({ config, log, onProgress, user, whileStarting: loadProduct }, undo);
    requireNotCancelled();
    loadProduct();
    const { serve } = await (serving as NonNullable<typeof serving>);
    const served = await serve(
      { config, log, onProgress, user, requireNotCancelled, paused: options.paused === true },
      install,
      undo,
    );
    requireNotCancelled();
    return { ...served, lost: install.lost, stop: stopAll };
  } catch (error) {
    await stopAll();
    // Ctrl-C also reaches the child programs, so it may have caused this failure.
    requireNotCancelled();
    throw explainStartError(error, config);
  }
}

type InstallOptions = Pick<StartOptions, 'config' | 'log' | 'onProgress'> & {
  readonly user: User | null;
  /** Called once while programs of PostgreSQL run. For work that does not depend on them. */
  whileStarting(): void;
};

/**
 * Returns the database's address and the encryption secret. Locks the folder of an embedded install and starts its
 * server.
 */
async function openInstall(
  { config, log, onProgress, user, whileStarting }: InstallOptions,
  undo: Undo,
): Promise<Install> {
  if (config.databaseUrl !== null) {
    return {
      databaseUrl: config.databaseUrl,
      secret: config.secret as string,
      lost: Promise.withResolvers<string>().promise,
      synced: Promise.resolve(),
    };
  }
  const folder = await openDataFolder(config.dataFolder);
  undo.push(() => folder.release());
  const secret = config.secret ?? readOrMakeSecret(folder.path);
  const options = { folder: folder.path, log, onProgress, becomes: user, whileStarting, syncsLater: true };
  const postgres = await startEmbeddedPostgres(options).catch((error: unknown) => {
    throw explainEmbedded(error, folder.path);
  });
  undo.push(() => postgres.stop());
  const { connectionString: databaseUrl, synced } = postgres;
  return { databaseUrl, secret, lost: postgres.ended.then(postgres.explainEnd), synced };
}

/** Explains errors of PostgreSQL itself. Errors of the system are explained elsewhere. */
function explainEmbedded(error: unknown, folder: string): unknown {
  if (!(error instanceof Error) || 'syscall' in error) return error;
  if (error instanceof DiskFullError) return new StartError(error.message, FREE_SPACE, error);
  return new StartError(
    `The embedded PostgreSQL of ${folder} cannot be started: ${error.message}`,
    'Correct the cause, or set DATABASE_URL to a PostgreSQL of your own (15 or newer).',
    error,
  );
}

/**
 * Chooses a free port if the port is 0. This is done before the product is built, because replies contain the address.
 */
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

/** Warns if other machines can reach the API and test keys can make it send requests to this machine. */
function warnOfOpenLoopback({ host, allowLocalWebhooks, roles }: Config, onProgress: (text: string) => void): void {
  const isLocal = host === 'localhost' || host === '::1' || host.startsWith('127.');
  if (isLocal || !allowLocalWebhooks || !roles.includes('api')) return;
  onProgress(
    `Warning: HOST is ${host}, so other machines reach this API, and webhooks of test keys may go to programs on this machine. Set DIALPLANE_ALLOW_LOCAL_WEBHOOKS=off if anyone else has a test key.`,
  );
}
