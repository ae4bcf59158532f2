/**
 * Keeps the files of inbound texts, which carriers delete after some weeks. A text is stored at once with the API's
 * address of each file. A job then fetches the file from the carrier.
 */
import type { CarrierMedia, FetchedMedia } from '../../../carriers/ports/messaging.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import { mediaTypeOf } from '../../../lib/http/media-types.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { dropBlobs, dropUnlessKept, keepBlob } from '../../../queue/jobs/drop-blobs.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs } from '../../../queue/jobs/job-claims.ts';
import { findMedia, insertMedia, keepMedia, listMediaBlobs, type MediaName, type MediaRow } from './queries.ts';

const KEEP_MEDIA = 'message.keep_media';

/** About three days. If the carrier has not returned the file by then, it does not have it. */
const ATTEMPTS_MAX = 900;

/** Bytes of a file. Messages on the mobile networks have some megabytes at most. */
const MEDIA_BYTES_MAX = 10 * 1024 * 1024;

/** Stores the files of an inbound text by name, and plans to fetch them. */
export async function planMedia(
  tx: Tx,
  { ledgerId }: Ledger,
  messageId: string,
  media: readonly CarrierMedia[],
): Promise<void> {
  if (media.length === 0) return;
  const typed = media.map(({ ref, contentType }) => ({ ref, contentType: mediaTypeOf(contentType) }));
  await insertMedia(tx, { ledgerId }, messageId, typed);
  const names = media.map((_, position): MediaName => ({ messageId, position }));
  await enqueue(
    tx,
    names.map((payload) => ({ ledgerId, queue: 'audio', kind: KEEP_MEDIA, payload }) as const),
  );
}

type KeepContext = Pick<Context, 'db' | 'blobs' | 'carriers' | 'log'>;

/** Returns the handler of the jobs that fetch a file and store it. */
export function createMediaKeeper(context: KeepContext): JobHandler<MediaName> {
  return { kind: KEEP_MEDIA, queue: 'audio', run: ([job]) => keep(context, job as Job<MediaName>) };
}

async function keep(context: KeepContext, job: Job<MediaName>): Promise<void> {
  const { db, blobs } = context;
  const name = job.payload;
  const ledger = await findLedger(db, job.ledgerId);
  const row = await findMedia(db, job, name);
  // If a run lost its claim after its commit, the job is still there and has nothing left to do.
  if (ledger === undefined || row === undefined || row.blob_key !== null) return;
  const fetched = await fetchMedia(context, ledger, job, row);
  if (fetched === undefined) return;
  const { bytes } = fetched;
  const contentType = mediaTypeOf(fetched.contentType);
  // The key differs in each run, because the removal that an earlier run has planned must not remove this file.
  const blob = await dropUnlessKept(db, `${job.ledgerId}/media/${newId('job')}`);
  await blobs.put(blob.key, bytes, { contentType: contentType ?? row.content_type ?? 'application/octet-stream' });
  await db.transaction(async (tx) => {
    const isKept = await keepMedia(tx, job, name, { key: blob.key, contentType });
    if (isKept && !(await keepBlob(tx, blob))) throw new Error(`the file of ${name.messageId} was removed too early`);
    await completeJobs(tx, [job]);
  });
}

/** Returns the file, or undefined if the carrier does not have it. Throws if it does not answer, to be run again. */
async function fetchMedia(
  { carriers, log }: KeepContext,
  ledger: Ledger,
  { payload: { messageId: message, position }, attempt }: Job<MediaName>,
  { carrier_ref: ref, connection_id: connectionId }: MediaRow,
): Promise<FetchedMedia | undefined> {
  const about = { message, position };
  try {
    const fetched = await carriers.messaging(ledger, connectionId).fetchMedia?.(ledger, ref);
    if (fetched === undefined) log.error(about, 'carrier does not have the media of an inbound text; none is kept');
    if (fetched === undefined || fetched.bytes.length <= MEDIA_BYTES_MAX) return fetched;
    log.error({ ...about, bytes: fetched.bytes.length }, 'media of an inbound text is too large; it is not kept');
  } catch (error) {
    if (attempt < ATTEMPTS_MAX) throw error;
    log.error({ ...about, err: error }, 'carrier does not return the media of an inbound text; none is kept');
  }
  return undefined;
}

/** Plans the removal of the files of a ledger that is emptied, before its rows are deleted. */
export async function dropLedgerMedia(tx: Tx, ledgerId: number): Promise<void> {
  await dropBlobs(tx, await listMediaBlobs(tx, ledgerId));
}
