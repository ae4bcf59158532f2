/** The job that makes the file of an export. A repeated run, after a kill, makes it again. */
import type { Context } from '../../../context.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import { dropBlobs, dropUnlessKept, keepBlob, type UnkeptBlob } from '../../../queue/jobs/drop-blobs.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs } from '../../../queue/jobs/job-claims.ts';
import { defineDeletion, type Sweep } from '../../../queue/worker/sweep.ts';
import { withArchive } from './archive.ts';
import {
  type ExportedPerson,
  expireExports,
  findPending,
  type InLedger,
  nextExports,
  settleExport,
} from './queries.ts';

const EXPORT_PERSON = 'person.export';
type ExportPerson = { readonly exportId: string; readonly tenantId: string };

/**
 * Maximum exports of one tenant that run concurrently. Other exports wait for their turn, so that a tenant does not
 * delay the exports of other tenants.
 */
const RUNNING_MAX = 1;

export const ZIP_CONTENT_TYPE = 'application/zip';
/** About two hours of attempts. */
const ATTEMPTS_MAX = 30;
const LINGERING_MAX = 2;
const EXPIRED_MAX = 100;

/**
 * Plans the job of the tenant's next export, unless an export of the tenant runs. Called by the transactions that add
 * an export or end the run of one.
 */
export async function startExports(tx: Tx, { ledgerId }: InLedger, tenantId: string): Promise<void> {
  const ids = await nextExports(tx, { ledgerId }, { tenantId, rows: RUNNING_MAX });
  const jobOf = (exportId: string) => {
    const payload: ExportPerson = { exportId, tenantId };
    return { ledgerId, id: `${EXPORT_PERSON}:${exportId}`, queue: 'audio', kind: EXPORT_PERSON, payload } as const;
  };
  // A running export keeps its job unchanged.
  await enqueue(tx, ids.map(jobOf));
}

type ExportContext = Pick<Context, 'db' | 'blobs' | 'log'>;

/** Returns the handler of exports. */
export function createExporter(context: ExportContext): JobHandler<ExportPerson> {
  return {
    kind: EXPORT_PERSON,
    queue: 'audio',
    lingeringMax: LINGERING_MAX,
    run: async ([job]) => {
      if (job !== undefined) await exportPerson(context, job);
    },
  };
}

async function exportPerson(context: ExportContext, job: Job<ExportPerson>): Promise<void> {
  const { db, log } = context;
  const { exportId: id, tenantId } = job.payload;
  const person = await findPending(db, job, id);
  // An erasure has deleted the export.
  if (person === undefined) return await db.transaction((tx) => endRun(tx, job, tenantId));
  const stored = await store(context, person, id).catch((error: unknown) => {
    if (job.attempt < ATTEMPTS_MAX) throw error;
    log.error({ err: error, export: id }, 'an export of a person failed; it is not retried');
  });
  await db.transaction(async (tx) => {
    const status = stored === undefined ? 'failed' : 'completed';
    const isWanted = await settleExport(tx, job, { id, status, key: stored?.key ?? null });
    if (stored !== undefined && !isWanted) await dropBlobs(tx, [stored.key]);
    if (stored !== undefined && isWanted && !(await keepBlob(tx, stored))) throw new Error('the file is being removed');
    await endRun(tx, job, person.tenantId);
  });
}

/** Completes the job, and plans the job of the tenant's next export. */
async function endRun(tx: Tx, job: Job<ExportPerson>, tenantId: string): Promise<void> {
  await completeJobs(tx, [job]);
  await startExports(tx, job, tenantId);
}

/** Makes and stores the file, under a key that no other run uses. */
function store({ db, blobs }: ExportContext, person: ExportedPerson, id: string): Promise<UnkeptBlob> {
  const key = `${person.ledgerId}/exports/${id}-${newId('job')}.zip`;
  return withArchive({ db, blobs }, person, async (archive) => {
    const unkept = await dropUnlessKept(db, key);
    await blobs.putFile(key, archive, { contentType: ZIP_CONTENT_TYPE });
    return unkept;
  });
}

/** Returns the sweep that removes the files of exports past their time. */
export function exportSweep(db: Database): Sweep {
  return defineDeletion({
    db,
    name: 'person_exports',
    rowsMax: EXPIRED_MAX,
    remove: (rowsMax) => removeExpired(db, rowsMax),
  });
}

/** Removes the files of exports past their time. @returns how many */
export function removeExpired(db: Database, rowsMax: number): Promise<number> {
  return db.transaction(async (tx) => {
    const keys = await expireExports(tx, rowsMax);
    await dropBlobs(tx, keys);
    return keys.length;
  });
}
