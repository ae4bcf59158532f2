/**
 * Fills the disk of an embedded PostgreSQL, for disk-full.test.ts. Runs in a separate mount namespace, so that the
 * small disk is removed with its processes even if they are killed. Prints the lines of the server's log and of the
 * next starts, as JSON.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { monotonicMs } from '../../src/lib/time/time.ts';
import { startEmbeddedPostgres } from '../../src/server/embedded-postgres/start.ts';

const [folder = ''] = process.argv.slice(2);
mkdirSync(folder);
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m,mode=755', 'tmpfs', folder]);
if (mounted.status !== 0) throw new Error(String(mounted.stderr));

let logged = '';
const log = pino(
  { level: 'error' },
  {
    write: (line: string) => {
      logged += line;
    },
  },
);
const start = () =>
  startEmbeddedPostgres({ folder, log, settings: { max_wal_size: '32MB' }, onProgress: () => undefined });

/** Runs a statement that may fail or lose its connection. */
async function attempt(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  await client
    .connect()
    .then(() => client.query(text))
    .catch(() => undefined);
  await client.end().catch(() => undefined);
}

const database = await start();
const ballast = join(folder, 'ballast');
for (const giveUpAt = monotonicMs() + 60_000; !logged.includes('disk') && monotonicMs() < giveUpAt; ) {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail > 0) writeFileSync(ballast, Buffer.alloc(bavail * bsize), { flag: 'a' });
  await attempt(
    database.connectionString,
    'create table filled as select repeat(md5(n::text), 100) from generate_series(1, 9) n',
  );
  await attempt(database.connectionString, 'checkpoint');
}
await database.stop();
const refused = await start().then(
  () => 'started',
  (error: Error) => error.message,
);
rmSync(ballast);
const next = await start();
await next.stop();
console.log(JSON.stringify({ logged, refused }));
