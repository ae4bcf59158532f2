/** Removes blobs by durable jobs. So a transaction can drop blobs that its rows no longer refer to. */
import type { BlobStore } from '../../blobs/blob-store.ts';
import type { Db, Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { newId } from '../../lib/ids.ts';
import { SYSTEM_LEDGER } from '../worker/sweep.ts';
import { cancelIdleJobs, enqueue } from './enqueue.ts';
import type { JobHandler } from './job.ts';

const DROP_BLOBS = 'drop-blobs';
type DropBlobs = { readonly keys: readonly string[] };

const KEYS_PER_JOB = 200;

/** Longer than any request that stores a blob. */
const UNLESS_KEPT_MS = 10 * 60_000;

/**
 * Plans the removal of blobs, now or later. The jobs belong to the installation, so they outlive the ledger of the
 * blobs. A repeated run skips removed blobs.
 * @param owner a name; `isDroppingBlobs` finds the removals by it
 */
export async function dropBlobs(
  db: Db,
  keys: readonly string[],
  { delayMs = 0, owner }: { readonly delayMs?: number; readonly owner?: string | undefined } = {},
): Promise<void> {
  const jobs = [];
  for (let at = 0; at < keys.length; at += KEYS_PER_JOB) {
    const payload: DropBlobs = { keys: keys.slice(at, at + KEYS_PER_JOB) };
    const named = owner === undefined ? {} : { id: `${prefixOf(owner)}${newId('job')}` };
    jobs.push({ ledgerId: SYSTEM_LEDGER, queue: 'audio', kind: DROP_BLOBS, payload, delayMs, ...named } as const);
  }
  await enqueue(db, jobs);
}

const prefixOf = (owner: string) => `${DROP_BLOBS}:${owner}:`;

const ANY_LEFT = statement(
  'jobs_any_with_prefix',
  `select 1 as found from jobs where ledger_id = $1 and id >= $2 and id < $2 || '~' limit 1`,
);

/** Returns true while planned removals of this owner remain. */
export async function isDroppingBlobs(db: Db, owner: string): Promise<boolean> {
  return (await db.query(ANY_LEFT, [SYSTEM_LEDGER, prefixOf(owner)])).length > 0;
}

/** A blob that is removed unless a transaction keeps it. */
export type UnkeptBlob = { readonly key: string; readonly jobId: string };

/**
 * Plans the removal of a blob that is about to be stored. So it is removed if no row ever refers to it, because the
 * request is refused or its process ends. The transaction that stores the row calls `keepBlob`.
 */
export async function dropUnlessKept(db: Db, key: string): Promise<UnkeptBlob> {
  const id = newId('job');
  const payload: DropBlobs = { keys: [key] };
  await enqueue(db, [
    { ledgerId: SYSTEM_LEDGER, queue: 'audio', kind: DROP_BLOBS, id, payload, delayMs: UNLESS_KEPT_MS },
  ]);
  return { key, jobId: id };
}

/** Keeps the blob. Returns false if it has been removed, or is being removed. */
export async function keepBlob(tx: Tx, { jobId }: UnkeptBlob): Promise<boolean> {
  return (await cancelIdleJobs(tx, SYSTEM_LEDGER, [jobId])).length > 0;
}

/** Returns the handler of the jobs. */
export function createBlobDropper({ blobs }: { readonly blobs: BlobStore }): JobHandler<DropBlobs> {
  return {
    kind: DROP_BLOBS,
    queue: 'audio',
    run: async ([job]) => {
      for (const key of job?.payload.keys ?? []) await blobs.remove(key);
    },
  };
}
