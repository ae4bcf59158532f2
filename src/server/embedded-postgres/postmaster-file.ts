// postmaster.pid, which PostgreSQL keeps in its cluster while it runs. Lines: pid, cluster folder, start time, port,
// socket folder, listen address, shared memory key, status.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hasCode, isRunning, servesCluster } from './process-identity.ts';

const FILE = 'postmaster.pid';
const LOOK_EVERY_MS = 10;
const ORDERLY_STOP_MS = 20_000;
const QUICK_STOP_MS = 10_000;

export type PostmasterFile = { pid: number; status: string };

/** The file's content, or undefined where there is none (or only its beginning so far). */
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
 * Ends a server that an earlier run left behind, and prepares the file for the next one. It is ended rather than used:
 * the earlier run's death may be ending it already, and the new run's settings would not hold for it.
 * @throws Error when it does not end
 */
export async function endEarlierServer(cluster: string, onProgress: (text: string) => void): Promise<void> {
  const earlier = readPostmasterFile(cluster);
  if (earlier === undefined) return;
  if (servesCluster(earlier.pid, cluster)) {
    onProgress(`stopping the PostgreSQL that an earlier run left behind (process ${earlier.pid})`);
    await endServer(earlier.pid);
    return;
  }
  if (isRunning(earlier.pid)) disownPid(cluster);
}

/** Ends a server in order (open transactions are rolled back), or at once if that takes too long. */
export async function endServer(pid: number): Promise<void> {
  signalIfRunning(pid, 'SIGINT');
  if (await hasEnded(pid, ORDERLY_STOP_MS)) return;
  signalIfRunning(pid, 'SIGQUIT');
  if (await hasEnded(pid, QUICK_STOP_MS)) return;
  throw new Error(`PostgreSQL (process ${pid}) does not stop; end it by hand and start again`);
}

/**
 * A stranger has the dead server's pid, and PostgreSQL would take it for the server and refuse to start. It ignores its
 * own parent's pid, which is ours, and still checks the shared memory of the line below, so the file stays otherwise.
 */
function disownPid(cluster: string): void {
  const file = join(cluster, FILE);
  const [, ...rest] = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, [`${process.pid}`, ...rest].join('\n'));
}

async function hasEnded(pid: number, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs;
  while (isRunning(pid)) {
    if (performance.now() > deadline) return false;
    await delay(LOOK_EVERY_MS);
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
