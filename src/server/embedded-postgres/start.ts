// Starts PostgreSQL as a child of this process, in a separate session. So Ctrl-C does not stop the database while the
// program still uses it. PostgreSQL does not outlive the program: a watcher process has the other end of a pipe to this
// process. When the pipe closes, even after a kill, the watcher stops PostgreSQL in order.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { ignoreError } from '../../lib/errors/ignore-error.ts';
import { every, monotonicMs, sleep } from '../../lib/time/time.ts';
import { type Address, chooseAddress } from './address.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { makeCluster, spawnOptions, syncCluster } from './cluster.ts';
import { DiskFullError, FREE_SPACE, saysDiskFull } from './disk-full.ts';
import { CLUSTER, type Placement, placeCluster } from './placement.ts';
import { endEarlierServer, endServer, readPostmasterFile } from './postmaster-file.ts';
import { ensureDatabase, nameDatabase } from './queries.ts';
import { openServerLog, type ServerLog } from './server-log.ts';
import type { User } from './users.ts';

export type EmbeddedPostgres = {
  /** The connection string is also a valid URL. */
  readonly connectionString: string;
  /** Folder of the cluster. If this process is root, it may differ from the requested folder (see placement.ts). */
  readonly folder: string;
  readonly pid: number;
  /** Resolves when the server has ended for any reason. The value says how it ended: `code 0`, `SIGKILL`. */
  readonly ended: Promise<string>;
  /** Returns a sentence about a server that has ended without a stop. */
  explainEnd(end: string): Promise<string>;
  /**
   * Resolves when the files of a new cluster are on the disk. Until then nothing may be confirmed to a client.
   * @throws Error if they cannot be written
   */
  readonly synced: Promise<void>;
  /** Stops the server in order. Closes open connections. */
  stop(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  /** The install's folder for the database. The caller makes sure that no other process uses it. */
  folder: string;
  log: Logger;
  /** Listens on this loopback port, with a password, instead of on a Unix socket. */
  port?: number;
  /** The programs of PostgreSQL; by default the programs that npm installed. */
  binaries?: Binaries;
  /** Server settings; they override the defaults. */
  settings?: Record<string, string>;
  /** The log is rotated at this size in bytes; 10 MB by default. */
  logBytesMax?: number;
  /** The user that this root process changes to later. That user must reach the server's socket. */
  becomes?: User | null;
  /** Called with a sentence for each slow step, and for files outside `folder`. */
  onProgress?: (text: string) => void;
  /** Folder for files that PostgreSQL's user must reach. Used if this process is root. */
  systemFolder?: string;
  /** Called while initdb runs, and while the server starts. */
  whileStarting?: () => void;
  /**
   * If true, the start returns before the files of a new cluster are on the disk. The caller then waits for `synced`.
   */
  syncsLater?: boolean;
};

const SETTINGS: Readonly<Record<string, string>> = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers: '128MB',
  max_connections: '100',
  // After a checkpoint, the first change of a page writes the whole page to the WAL. Texts to many known recipients
  // change many pages. So compression halves these writes, and checkpoints are rare.
  wal_compression: 'on',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  // Parallel queries need shared memory, which small containers lack, and they do not make this work faster.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The program itself reports errors of statements. The texts, details and values of statements quote clients' data,
  // so the server's log has only messages about the server.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
};
const LOOK_EVERY_MS = 5;
const LOOK_AT_LOG_EVERY_MS = 10_000;
const SLOW_AFTER_MS = 2_000;
const RETRY_FOR_MS = 15_000;
const RETRY_EVERY_MS = 50;
/**
 * PostgreSQL's messages while processes of an earlier run are still ending. That run's server was killed before it
 * wrote a pid file, or it was killed alone and its children still run.
 */
const STILL_ENDING = /lock file "postmaster.pid" already exists|pre-existing shared memory block .* is still in use/;
// The shell replaces itself with PostgreSQL (exec), so the child's pid is the server's pid. `$$` in the watcher is that
// pid too.
const WATCHED = '(read -r line <&3; kill -INT $$ 2>/dev/null) & exec "$@" 3<&-';

/**
 * Starts the embedded PostgreSQL of `folder`. Creates its cluster on the first start, and cleans up after an earlier
 * run that was killed.
 * @throws Error with the end of PostgreSQL's log if it does not start
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, systemFolder = '/var/lib/dialplane' } = options;
  const onProgress = options.onProgress ?? ((text: string) => log.info(text));
  const { folder, becomes = null, binaries = findBinaries() } = options;
  const placement = placeCluster({ folder, binaries, systemFolder, becomes, onProgress });
  const whileStarting = options.whileStarting ?? (() => undefined);
  const isNew = await makeCluster(placement, { onProgress, whileRunning: whileStarting });
  const serverLog = await openServerLog(placement, options.logBytesMax);
  const address = await chooseAddress(placement, options.port);
  const settings = { ...SETTINGS, ...address.settings, ...options.settings };
  const starting = startServer(placement, { settings, serverLog, onProgress, whileStarting });
  const { child, ended, logStart } = await starting.catch(async (error: unknown) => {
    await serverLog.close();
    throw error;
  });
  const synced = isNew ? syncCluster(placement) : Promise.resolve();
  // This only marks the error as handled. Callers that wait for `synced` still get it.
  synced.catch(() => undefined);
  const rotation = watchLog(serverLog, { folder: placement.folder, from: logStart }, log);
  let isStopping = false;
  const stop = async () => {
    isStopping = true;
    rotation.cancel();
    await Promise.allSettled([synced]);
    await endChild(child, { ended, address, placement });
    await serverLog.close();
  };
  try {
    await (isNew ? nameDatabase : ensureDatabase)(address.connectionString);
    if (options.syncsLater !== true) await synced;
  } catch (error) {
    await stop();
    throw error;
  }
  log.debug({ pid: child.pid, folder: placement.folder }, 'embedded PostgreSQL is ready');
  return {
    connectionString: address.connectionString,
    folder: placement.folder,
    pid: child.pid ?? 0,
    ended,
    synced,
    explainEnd: async (end) => explainEnd(end, placement, isStopping ? '' : await serverLog.textFrom(logStart)),
    stop,
  };
}

/** `logStart` is the position of the server's first message in the log. */
type Server = { child: ChildProcess; ended: Promise<string>; logStart: number };
type ServerOptions = {
  settings: Record<string, string>;
  serverLog: ServerLog;
  onProgress(text: string): void;
  whileStarting(): void;
};

/** Starts the server when no other server uses the cluster any more. */
async function startServer(placement: Placement, options: ServerOptions): Promise<Server> {
  const { settings, serverLog, onProgress, whileStarting } = options;
  const cluster = join(placement.folder, CLUSTER);
  const deadline = monotonicMs() + RETRY_FOR_MS;
  for (;;) {
    await endEarlierServer(cluster, onProgress);
    const logStart = await serverLog.size();
    const child = spawnServer(placement, settings, serverLog);
    const ended = endOf(child);
    whileStarting();
    if (await becomesReady(child, cluster, onProgress)) return { child, ended, logStart };
    const how = await ended;
    const said = await serverLog.textFrom(logStart);
    if (saysDiskFull(said)) throw new DiskFullError(placement.folder);
    if (!STILL_ENDING.test(said) || monotonicMs() > deadline) {
      throw new Error(`the embedded PostgreSQL did not start (${how}). ${serverLog.path} says:\n${said}`);
    }
    await sleep(RETRY_EVERY_MS);
  }
}

function spawnServer(
  placement: Placement,
  settings: Record<string, string>,
  { descriptor }: Pick<ServerLog, 'descriptor'>,
): ChildProcess {
  const { postgres } = placement.binaries;
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const args = ['-D', join(placement.folder, CLUSTER), ...flags];
  const options = { ...spawnOptions(placement), detached: true, windowsHide: true };
  const stdio = ['ignore', descriptor, descriptor, 'pipe'] as const;
  const child =
    process.platform === 'win32'
      ? spawn(postgres, args, { ...options, stdio: stdio.slice(0, 3) })
      : spawn('/bin/sh', ['-c', WATCHED, 'sh', postgres, ...args], { ...options, stdio: [...stdio] });
  child.unref();
  const pipe = child.stdio[3];
  if (pipe && 'unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
  return child;
}

/**
 * Rotates the log while the server runs. Reports a full disk, because the server then repeats its recovery without
 * success.
 */
function watchLog(serverLog: ServerLog, { folder, from }: { folder: string; from: number }, log: Logger) {
  let position = from;
  const look = async () => {
    const end = await serverLog.size();
    if (end !== position && saysDiskFull(await serverLog.textFrom(position))) {
      log.error(
        { folder },
        `${new DiskFullError(folder).message} Free space there: the database goes on by itself then.`,
      );
    }
    position = end;
    await serverLog.rotate();
  };
  return every(LOOK_AT_LOG_EVERY_MS, () => ignoreError(look(), log, 'the log of PostgreSQL is read again')).unref();
}

function explainEnd(end: string, { folder }: Placement, said: string): string {
  if (saysDiskFull(said)) return `${new DiskFullError(folder).message} ${FREE_SPACE}`;
  return `The embedded PostgreSQL ended unexpectedly (${end}).`;
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  });
}

/**
 * Waits until the server accepts connections (returns true) or has ended (returns false). Reads the state from
 * PostgreSQL's pid file. So it never connects to a port that may belong to another server.
 */
async function becomesReady(
  child: ChildProcess,
  cluster: string,
  onProgress: (text: string) => void,
): Promise<boolean> {
  const slowAt = monotonicMs() + SLOW_AFTER_MS;
  let told = false;
  for (;;) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return false;
    const file = readPostmasterFile(cluster);
    if (file?.pid === child.pid && file.status === 'ready') return true;
    if (!told && monotonicMs() > slowAt) {
      told = true;
      onProgress('PostgreSQL is recovering what an earlier run had not written out yet');
    }
    await sleep(LOOK_EVERY_MS);
  }
}

type Ending = { ended: Promise<string>; address: Address; placement: Placement };

async function endChild(child: ChildProcess, { ended, address, placement }: Ending): Promise<void> {
  const running = child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const pipe = child.stdio[3];
  if (running) {
    child.ref();
    // A process that has given up root may not signal the server of another user. So it closes the pipe, and the
    // watcher sends the signal.
    if (placement.owner !== null && process.getuid?.() !== 0) pipe?.destroy();
    else await endServer(child.pid ?? 0);
  }
  await ended;
  pipe?.destroy();
  address.dispose();
}
