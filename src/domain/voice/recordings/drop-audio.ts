/** Removes audio by jobs: that of a ledger that is emptied, soon after its rows, and that of utterances. */
import type { Context } from '../../../context.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import type { JobHandler } from '../../../queue/jobs/job.ts';
import { SYSTEM_LEDGER } from '../../../queue/worker/sweep.ts';
import { listBlobKeys } from './queries.ts';

const DROP_AUDIO = 'drop-audio';
type DropAudio = { readonly keys: readonly string[] };

const KEYS_PER_JOB = 200;

/** Plans the jobs, in the transaction that empties the ledger and before it deletes the rows. */
export async function dropLedgerAudio(tx: Tx, ledgerId: number): Promise<void> {
  const keys = await listBlobKeys(tx, { ledgerId });
  const jobs = [];
  for (let at = 0; at < keys.length; at += KEYS_PER_JOB) {
    const payload: DropAudio = { keys: keys.slice(at, at + KEYS_PER_JOB) };
    jobs.push({ ledgerId: SYSTEM_LEDGER, queue: 'audio', kind: DROP_AUDIO, payload } as const);
  }
  await enqueue(tx, jobs);
}

/** Plans the removal of one blob, also if it does not exist by then. */
export async function planAudioRemoval(db: Db, key: string, delayMs: number): Promise<void> {
  const payload: DropAudio = { keys: [key] };
  await enqueue(db, [{ ledgerId: SYSTEM_LEDGER, queue: 'audio', kind: DROP_AUDIO, payload, delayMs }]);
}

/** Returns the handler of those jobs. It skips a blob that is gone, so a repeated run does no harm. */
export function createAudioDropper({ blobs }: Pick<Context, 'blobs'>): JobHandler<DropAudio> {
  return {
    kind: DROP_AUDIO,
    queue: 'audio',
    run: async ([job]) => {
      for (const key of job?.payload.keys ?? []) await blobs.remove(key);
    },
  };
}
