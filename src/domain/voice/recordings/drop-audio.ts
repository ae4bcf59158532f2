/** Takes away the audio of a ledger that is emptied: its rows go with the ledger, the blobs by a job soon after. */
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import type { JobHandler } from '../../../queue/jobs/job.ts';
import { SYSTEM_LEDGER } from '../../../queue/worker/sweep.ts';
import { AUDIO_QUEUE } from '../calls/effects.ts';
import { listBlobKeys } from './queries.ts';

const DROP_AUDIO = 'drop-audio';
type DropAudio = { readonly keys: readonly string[] };

const KEYS_PER_JOB = 200;

/** Plans it, in the transaction that empties the ledger and before its rows are gone. */
export async function dropLedgerAudio(tx: Tx, ledgerId: number): Promise<void> {
  const keys = await listBlobKeys(tx, { ledgerId });
  const jobs = [];
  for (let at = 0; at < keys.length; at += KEYS_PER_JOB) {
    const payload: DropAudio = { keys: keys.slice(at, at + KEYS_PER_JOB) };
    jobs.push({ ledgerId: SYSTEM_LEDGER, queue: AUDIO_QUEUE, kind: DROP_AUDIO, payload } as const);
  }
  await enqueue(tx, jobs);
}

/** The handler of that job. A blob that is gone already is passed over, so a repeat does no harm. */
export function createAudioDropper({ blobs }: Pick<Context, 'blobs'>): JobHandler<DropAudio> {
  return {
    kind: DROP_AUDIO,
    queue: AUDIO_QUEUE,
    run: async ([job]) => {
      for (const key of job?.payload.keys ?? []) await blobs.remove(key);
    },
  };
}
