/**
 * Fetches hold audio once a config names it: downloads the file, converts it for phone lines, and keeps it. If the host
 * does not answer, the request is retried.
 */
import { convertAudioFile } from '../../../audio/files/convert-file.ts';
import type { Context } from '../../../context.ts';
import { newId } from '../../../lib/ids.ts';
import { dropUnlessKept, keepBlob } from '../../../queue/jobs/drop-blobs.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import { type Download, download } from './download.ts';
import { findPendingUrl, settleHoldAudio } from './queries.ts';
import { retryMs } from './rules.ts';
import { createFairQueue, createShares } from './turns.ts';
import { FETCH_HOLD_AUDIO, type FetchPayload } from './use-hold-audio.ts';

type FetchContext = Pick<Context, 'db' | 'blobs' | 'outbound' | 'settings' | 'log'>;

/**
 * Maximum downloads from slow hosts that run in addition to the slots of the queue. Each file has ten megabytes at
 * most.
 */
const LINGERING_MAX = 8;

/**
 * At most LINGERING_MAX downloads run. So a slow download never keeps a slot that a recording, voicemail or media file
 * needs.
 */
const enterShare = createShares({ totalMax: LINGERING_MAX, ledgerMax: 2 });

/** Conversions take processor time, so only one runs at a time. Conversions of recordings do not wait here. */
const conversions = createFairQueue();

/** Returns the handler of the jobs that fetch hold audio. */
export function holdAudioJob(context: FetchContext): JobHandler<FetchPayload> {
  return {
    kind: FETCH_HOLD_AUDIO,
    queue: 'audio',
    lingeringMax: LINGERING_MAX,
    run: ([job]) => takeShare(context, job as Job<FetchPayload>),
  };
}

/** Fetches the audio if its ledger has room. If not, the job comes back behind the jobs of other ledgers. */
async function takeShare(context: FetchContext, job: Job<FetchPayload>): Promise<void> {
  const share = enterShare(job.payload.ledger.ledgerId);
  if ('delayMs' in share) {
    await context.db.transaction((tx) => rescheduleJob(tx, job, share));
    return;
  }
  try {
    await fetchHoldAudio(context, job);
  } finally {
    share.end();
  }
}

async function fetchHoldAudio(context: FetchContext, job: Job<FetchPayload>): Promise<void> {
  const { ledger, id } = job.payload;
  const url = await findPendingUrl(context.db, ledger, id);
  // The last config with the audio was deleted, or an earlier run has settled the audio.
  if (url === undefined) return;
  const result = await download(context, ledger.mode, url);
  if ('problem' in result) return endWithout(context, job, result);
  const converted = await conversions.run(ledger.ledgerId, () => convertAudioFile(result.file));
  if ('problem' in converted) return endWithout(context, job, { ...converted, mayPass: false });
  await keep(context, job, converted.audio);
}

async function keep({ db, blobs }: FetchContext, job: Job<FetchPayload>, mulaw: Uint8Array): Promise<void> {
  const { ledger, id } = job.payload;
  // The key differs in each run, because the removal that an earlier run has planned must not remove this blob.
  const blob = await dropUnlessKept(db, `${ledger.ledgerId}/hold/${newId('job')}`);
  await blobs.put(blob.key, mulaw, { contentType: 'audio/basic' });
  await db.transaction(async (tx) => {
    const isKept = await settleHoldAudio(tx, ledger, id, { blobKey: blob.key });
    if (isKept && !(await keepBlob(tx, blob))) throw new Error(`hold audio ${blob.key} was removed too early`);
    await completeJobs(tx, [job]);
  });
}

/** Plans another attempt, or stores that there is no audio. */
async function endWithout(
  { db, log }: FetchContext,
  job: Job<FetchPayload>,
  { problem, mayPass }: Exclude<Download, { file: Buffer }>,
): Promise<void> {
  const { ledger, id, attempt } = job.payload;
  const delayMs = mayPass ? retryMs(attempt) : undefined;
  log.info({ id, attempt, problem, retry_ms: delayMs }, 'hold audio could not be fetched');
  await db.transaction(async (tx) => {
    if (delayMs !== undefined) {
      await rescheduleJob(tx, job, { delayMs, payload: { ...job.payload, attempt: attempt + 1 } });
      return;
    }
    await settleHoldAudio(tx, ledger, id, { error: problem });
    await completeJobs(tx, [job]);
  });
}
