import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NAME, readPassword } from './cluster.ts';
import { CLUSTER, SERVER_FOLDER } from './placement.ts';
import { hasCode } from './process-identity.ts';

/**
 * Returns true if the install has a database, in its own folder or in the folder of the system that a root process
 * uses.
 */
export function hasCluster(folder: string): boolean {
  return existsSync(join(clusterFolder(folder), CLUSTER));
}

/**
 * Returns the address of the embedded PostgreSQL that another process runs for this install; undefined if none runs.
 * Reads the server's pid file (line 4 is the port, line 5 the socket folder).
 */
export function runningAddress(folder: string): string | undefined {
  const place = clusterFolder(folder);
  const lines = readIfPresent(join(place, CLUSTER, 'postmaster.pid'))?.split('\n');
  if (lines === undefined || lines[7]?.trim() !== 'ready') return undefined;
  const port = lines[3]?.trim();
  const socketFolder = lines[4]?.trim() ?? '';
  if (socketFolder !== '') {
    return `postgresql://${NAME}@localhost:${port}/${NAME}?host=${encodeURIComponent(socketFolder)}`;
  }
  return `postgresql://${NAME}:${readPassword(place)}@127.0.0.1:${port}/${NAME}`;
}

/**
 * Returns the folder of the cluster that placement.ts chose: the install's folder, a folder within it, or the folder
 * that a file there names.
 */
function clusterFolder(folder: string): string {
  for (const place of [folder, join(folder, SERVER_FOLDER)]) if (existsSync(join(place, CLUSTER))) return place;
  return readIfPresent(join(folder, 'location'))?.trim() ?? folder;
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (hasCode(error, ['ENOENT'])) return undefined;
    throw error;
  }
}
