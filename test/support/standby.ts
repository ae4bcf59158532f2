import { chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/server/embedded-postgres/start.ts';
import { silentLog } from './jobs.ts';
import { freePort } from './ports.ts';
import { makeScratch } from './scratch.ts';

/** A standby of PostgreSQL: it answers queries, and refuses writes and LISTEN. */
export type Standby = { url: string; stop(): Promise<void> };

/** Makes a cluster and restarts it as a standby without a primary. Takes seconds. */
export async function startStandby(): Promise<Standby> {
  const scratch = makeScratch('standby');
  const folder = join(scratch.path, 'postgres');
  const options = { folder, log: silentLog, port: await freePort(), systemFolder: join(scratch.path, 'system') };
  const primary = await startEmbeddedPostgres(options);
  await primary.stop();
  const cluster = join(primary.folder, 'data');
  const signal = join(cluster, 'standby.signal');
  writeFileSync(signal, '');
  const { uid, gid } = statSync(cluster);
  chownSync(signal, uid, gid);
  const standby = await startEmbeddedPostgres(options);
  return {
    url: standby.connectionString,
    stop: async () => {
      await standby.stop();
      scratch.remove();
    },
  };
}
