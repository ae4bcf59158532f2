// postmaster.pid. PostgreSQL keeps this file in its cluster while it runs. Its lines are: pid, cluster folder, start
// time, port, socket folder, listen address, shared memory key, status.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monotonicMs, sleep } from '../../lib/time/time.ts';
import { hasCode, isRunning, servesCluster } from './process-identity.ts';

const FILE = 'postmaster.pid';
const LOOK_EVERY_MS = 10;
/** PostgreSQL writes its pid within this time after it has made the file. */
const WRITTEN_WITHIN_MS = 500;
const ORDERLY_STOP_MS = 20_000;
const QUICK_STOP_MS = 10_000;

export type PostmasterFile = { pid: number; status: string };

/** Returns the file's content, or undefined if it is missing or incomplete. */
export function readPostmasterFile(cluster: string): PostmasterFile | undefined {
  try {
    const lines = readFileSync(join(cluster, FILE), 'utf8').split('\n');
    const pid = Math.abs(Number(lines[0]));
    return Number.isInteger(pid) && pid > 0 ? { pid, status: lines[7]?.trim() ?? '' } : undefined;
  } catch (error) {
    if (hasCode(error, ['ENOENT'])) return undefined;
    throw error;
  }
}

/**
 * Ends a server that an earlier run has left behind, and prepares the file for the next server. The old server is not
 * used again, because it may be stopping and has other settings.
 * @throws Error if it does not end
 */
export async function endEarlierServer(cluster: string, onProgress: (text: string) => void): Promise<void> {
  await removeEmptyFile(join(cluster, FILE));
  const earlier = readPostmasterFile(cluster);
  if (earlier === undefined) return;
  if (servesCluster(earlier.pid, cluster)) {
    onProgress(`stopping the PostgreSQL that an earlier run left behind (process ${earlier.pid})`);
    await endServer(earlier.pid);
    return;
  }
  if (isRunning(earlier.pid)) disownPid(cluster);
}

/**
 * Removes an empty file. A server that was killed before it wrote its pid leaves one, and PostgreSQL does not start
 * with it. A running server has written its pid before the second read.
 */
async function removeEmptyFile(file: string): Promise<void> {
  const isEmpty = () => statSync(file, { throwIfNoEntry: false })?.size === 0;
  if (!isEmpty()) return;
  await sleep(WRITTEN_WITHIN_MS);
  if (isEmpty()) rmSync(file, { force: true });
}

/**
 * Stops a server by a fast shutdown, which rolls open transactions back. If that takes too long, stops it immediately.
 */
export async function endServer(pid: number): Promise<void> {
  signalIfRunning(pid, 'SIGINT');
  if (await hasEnded(pid, ORDERLY_STOP_MS)) return;
  signalIfRunning(pid, 'SIGQUIT');
  if (await hasEnded(pid, QUICK_STOP_MS)) return;
  throw new Error(`PostgreSQL (process ${pid}) does not stop; end it by hand and start again`);
}

/**
 * Replaces a dead server's pid if another program has that pid now. Otherwise PostgreSQL would take that program for
 * the server and refuse to start. PostgreSQL ignores the new pid, because it is that of its parent, this process. The
 * rest of the file stays: PostgreSQL still checks the shared memory that it names.
 */
function disownPid(cluster: string): void {
  const file = join(cluster, FILE);
  const [, ...rest] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, [`${process.pid}`, ...rest].join('\n'));
}

async function hasEnded(pid: number, waitMs: number): Promise<boolean> {
  const deadline = monotonicMs() + waitMs;
  while (isRunning(pid)) {
    if (monotonicMs() > deadline) return false;
    await sleep(LOOK_EVERY_MS);
  }
  return true;
}

function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!hasCode(error, ['ESRCH'])) throw error;
  }
}
