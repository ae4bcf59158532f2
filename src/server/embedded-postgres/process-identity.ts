import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';

/** Returns true if the process runs. A zombie counts as ended: it only waits for its parent. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, ['EPERM']);
  }
  if (process.platform !== 'linux') return true;
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch (error) {
    if (hasCode(error, ['ENOENT', 'ESRCH'])) return false;
    throw error;
  }
}

/**
 * Returns true if the running process is the PostgreSQL server of this cluster, and not another program with its pid.
 */
export function servesCluster(pid: number, clusterFolder: string): boolean {
  if (!isRunning(pid)) return false;
  try {
    // The working directory of a server is its cluster.
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(clusterFolder);
    if (process.platform === 'win32')
      return /postgres/i.test(execFileSync('tasklist', ['/fi', `PID eq ${pid}`], { encoding: 'utf8' }));
    return execFileSync('ps', ['-o', 'command=', '-p', `${pid}`], { encoding: 'utf8' }).includes(clusterFolder);
  } catch (error) {
    // The process has ended, or belongs to another user. Our server never does. ps exits with 1 if there is no such
    // process.
    if (hasCode(error, ['ENOENT', 'ESRCH', 'EACCES', 'EPERM']) || (error instanceof Error && 'status' in error))
      return false;
    throw error;
  }
}

export function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
