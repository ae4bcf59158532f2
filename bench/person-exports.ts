/**
 * Measures the memory that the export of a person with much audio needs. A process makes the ZIP file and stores it,
 * once in a folder and once on an S3 server in another process. Prints the resident memory before the export, and its
 * maximum during the export. `--files` and `--megabytes` are the number and the size of the recordings.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { openFolderStore } from '../src/blobs/adapters/folder-store.ts';
import type { S3Settings } from '../src/blobs/adapters/s3-requests.ts';
import { openS3Store } from '../src/blobs/adapters/s3-store.ts';
import type { OpenBlobStore } from '../src/blobs/blob-store.ts';
import { openDatabase } from '../src/db/database.ts';
import { withArchive } from '../src/domain/privacy/person-exports/archive.ts';
import { startS3 } from '../test/support/s3-server.ts';
import { startBenchPostgres } from './support/postgres.ts';
import { endChild, load, startChild } from './support/processes.ts';

const SAMPLE_MS = 20;
const MB = 1_048_576;
const PERSON = '+16025550143';

type Store = { readonly folder: string } | { readonly s3: S3Settings };
type Task = { readonly url: string; readonly ledgerId: number; readonly store: Store };
type Result = { readonly before: number; readonly highest: number; readonly seconds: number; readonly size: number };

const LOADS = [
  `insert into accounts (id, name) values ('acct_bench', 'Bench')`,
  `insert into ledgers (account_id, mode) values ('acct_bench', 'live')`,
  `insert into tenants (ledger_id, id, name, timezone, created_at)
   select l.id, 'tnt_bench', 'Bench', 'UTC', now() from ledgers l where account_id = 'acct_bench'`,
];

function openStore(store: Store): OpenBlobStore {
  return 'folder' in store ? openFolderStore(store.folder) : openS3Store(store.s3);
}

/** Makes the archive and stores it, as the job of an export does. Reports the memory of this process. */
async function exportOnce({ url, ledgerId, store }: Task): Promise<Result> {
  const db = openDatabase({ url, connectionsMax: 2, log: pino({ level: 'silent' }) });
  const blobs = openStore(store);
  const person = { ledgerId, tenantId: 'tnt_bench', number: PERSON };
  const before = process.memoryUsage.rss();
  let highest = before;
  const sampling = setInterval(() => {
    highest = Math.max(highest, process.memoryUsage.rss());
  }, SAMPLE_MS);
  const started = performance.now();
  const size = await withArchive({ db, blobs }, person, async (archive) => {
    await blobs.putFile('exports/bench.zip', archive, { contentType: 'application/zip' });
    return archive.size;
  });
  clearInterval(sampling);
  const seconds = (performance.now() - started) / 1_000;
  await blobs.close();
  await db.close();
  return { before, highest, seconds, size };
}

/** Makes recordings of the person. Their bytes cannot be compressed. */
async function fill(client: pg.Client, blobs: OpenBlobStore, { files, bytes }: { files: number; bytes: number }) {
  const audio = randomBytes(bytes);
  for (let n = 0; n < files; n++) await blobs.put(`audio/${n}`, audio, { contentType: 'audio/wav' });
  await client.query('delete from recordings');
  await client.query('delete from calls');
  await client.query(
    `insert into calls (ledger_id, id, tenant_id, phone_number_id, direction, "from", "to", record, status, outcome,
       duration_seconds, started_at, ended_at, state, commands, log_entries)
     select l.id, 'call_' || n, 'tnt_bench', 'num_bench', 'inbound', $1, '+16025550100', true, 'completed', 'answered',
       60, now(), now(), '{}', 0, 0
     from ledgers l, generate_series(0, $2::int - 1) n`,
    [PERSON, files],
  );
  await client.query(
    `insert into recordings (ledger_id, id, tenant_id, call_id, duration_ms, consent_announced, blob_key, created_at)
     select ledger_id, 'rec_' || substr(id, 6), tenant_id, id, 60000, true, 'audio/' || substr(id, 6), now() from calls`,
  );
}

async function measure(): Promise<void> {
  const { values } = parseArgs({
    options: { files: { type: 'string', default: '50' }, megabytes: { type: 'string', default: '20' } },
  });
  const [files, bytes] = [Number(values.files), Number(values.megabytes) * MB];
  const postgres = await startBenchPostgres();
  const client = new pg.Client(postgres.url);
  await client.connect();
  for (const query of LOADS) await client.query(query);
  const { rows } = await client.query<{ ledger_id: number }>('select ledger_id from tenants');
  const folder = await mkdtemp(join(tmpdir(), 'dialplane-bench-exports-'));
  const s3 = await startS3();
  for (const [name, store] of [
    ['folder', { folder }],
    ['S3', { s3: s3.settings }],
  ] as const) {
    const blobs = openStore(store);
    await fill(client, blobs, { files, bytes });
    await blobs.close();
    const task: Task = { url: postgres.url, ledgerId: rows[0]?.ledger_id as number, store };
    const { child, message } = await startChild<Result>('../person-exports.ts', [JSON.stringify(task)]);
    const { before, highest, seconds, size } = message;
    const mb = (value: number) => `${Math.round(value / MB)} MB`;
    console.log(
      `${name}: ${files} recordings of ${mb(bytes)}, archive ${mb(size)} in ${seconds.toFixed(1)} s; ` +
        `memory before ${mb(before)}, highest ${mb(highest)}, more by ${mb(highest - before)}; ${load()}`,
    );
    await endChild(child);
  }
  await s3.stop();
  await client.end();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

if (process.send === undefined) await measure();
else process.send(await exportOnce(JSON.parse(process.argv[2] as string) as Task));
