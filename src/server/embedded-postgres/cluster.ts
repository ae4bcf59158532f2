import { type SpawnOptions, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { CLUSTER, type Placement } from './placement.ts';
import { endEarlierServer } from './postmaster-file.ts';

/** The name of the only role and the only database of an embedded install. */
export const NAME = 'dialplane';

const DRAFT = `${CLUSTER}.new-`;
const PASSWORD = 'password';
/**
 * A file next to a cluster whose files may not all be on the disk. Such a cluster has no data that a client relies on.
 */
const UNSYNCED = `${CLUSTER}.unsynced`;

type MakeOptions = {
  onProgress(text: string): void;
  /** Called while initdb runs. */
  whileRunning(): void;
};

/**
 * Creates the cluster if there is none. It gets its name when it is complete. So an incomplete cluster is never used,
 * and is removed here. A cluster that was not synced is removed too: after a power failure its files may be empty.
 * @returns true if a cluster was created; the caller must wait for `syncCluster` before it confirms anything to a
 * client
 */
export async function makeCluster(placement: Placement, { onProgress, whileRunning }: MakeOptions): Promise<boolean> {
  const { folder, owner } = placement;
  for (const name of readdirSync(folder)) {
    // The initdb of a killed start may still write to this folder. It fails when its files are gone.
    if (name.startsWith(DRAFT)) rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 10 });
  }
  const cluster = join(folder, CLUSTER);
  const mark = join(folder, UNSYNCED);
  if (existsSync(mark)) {
    await endEarlierServer(cluster, onProgress);
    rmSync(cluster, { recursive: true, force: true, maxRetries: 10 });
  }
  if (existsSync(cluster)) return false;
  onProgress('making the database cluster');
  const draft = join(folder, DRAFT + randomBytes(6).toString('hex'));
  const passwordFile = join(folder, PASSWORD);
  writeFileSync(passwordFile, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600, flush: true });
  if (owner !== null) chownSync(passwordFile, owner.uid, owner.gid);
  // Only the owner can enter the folder of the socket, so the socket needs no password. TCP always needs one.
  const made = runInitdb(placement, [
    ...['-D', draft, '-U', NAME, '--encoding=UTF8', '--locale=C', '--no-instructions', '--no-sync'],
    ...['--auth-local=trust', '--auth-host=scram-sha-256', `--pwfile=${passwordFile}`],
  ]);
  whileRunning();
  await made;
  writeFileSync(mark, '', { mode: 0o600, flush: true });
  syncFolder(folder);
  renameSync(draft, cluster);
  return true;
}

/**
 * Writes all files of a new cluster to the disk. The server may run at the same time, because PostgreSQL syncs its own
 * writes.
 */
export async function syncCluster(placement: Placement): Promise<void> {
  const { folder } = placement;
  await runInitdb(placement, ['--sync-only', '-D', join(folder, CLUSTER)]);
  rmSync(join(folder, UNSYNCED));
  // This makes the removal of the mark durable. If the mark came back after a power failure, the cluster would be made
  // again.
  syncFolder(folder);
}

/** Writes the list of names in a folder to the disk. Windows does this automatically. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the password for TCP connections. */
export function readPassword(folder: string): string {
  return readFileSync(join(folder, PASSWORD), 'utf8').trim();
}

/** Returns the options for both programs: the owner's uid, a folder that all users can enter, a minimal environment. */
export function spawnOptions({ owner }: Placement): SpawnOptions {
  const env =
    process.platform === 'win32'
      ? { SystemRoot: 'C:\\Windows', TZ: 'UTC' }
      : { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  return { cwd: '/', env, ...(owner === null ? {} : { uid: owner.uid, gid: owner.gid }) };
}

function runInitdb(placement: Placement, args: readonly string[]): Promise<void> {
  const child = spawn(placement.binaries.initdb, args, {
    ...spawnOptions(placement),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new Error(`initdb could not be started: ${error.message}`, { cause: error })));
    child.on('close', (code, signal) => {
      if (code === 0) return resolve();
      const said = Buffer.concat(output).toString().trim();
      reject(new Error(`initdb ended with ${signal ?? `code ${code}`}, the cluster is not complete: ${said}`));
    });
  });
}
