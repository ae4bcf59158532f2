/**
 * Releases scheduled texts when their time has come. There is one job for each moment of a ledger. It releases the
 * texts of its moment in the order of their acceptance, some at a time, so that other ledgers' work runs in between.
 */
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { findLedger } from '../../../db/ledgers.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJobs } from '../../../queue/jobs/job-claims.ts';
import { recordActivities } from '../conversations/queries.ts';
import { previewOf } from '../messages/draft.ts';
import { recordReceipts } from '../messages/record-receipts.ts';
import { RELEASE_KIND } from '../messages/send-queries.ts';
import { hasTextsFor, releaseTexts } from './queries.ts';

/** Texts of one transaction. */
const TEXTS_MAX = 128;

type ReleasePayload = { readonly send_at: string };

/** Returns the handler of the jobs that release scheduled texts. */
export function createReleaseHandler({ db }: Pick<Context, 'db'>): JobHandler<ReleasePayload> {
  return {
    kind: RELEASE_KIND,
    queue: 'messaging',
    run: async ([job]) => {
      if (job !== undefined) await db.transaction((tx) => releaseRound(tx, job));
    },
  };
}

async function releaseRound(tx: Tx, job: Job<ReleasePayload>): Promise<void> {
  const ledger = await findLedger(tx, job.ledgerId);
  // The ledger was deleted while its job was claimed.
  if (ledger === undefined) return;
  const sendAt = new Date(job.payload.send_at);
  await releaseSome(tx, ledger, sendAt);
  if (await hasTextsFor(tx, ledger.ledgerId, sendAt)) {
    await rescheduleJobs(tx, [{ job, delayMs: 0, payload: job.payload }]);
  } else await completeJobs(tx, [job]);
}

async function releaseSome(tx: Tx, ledger: Ledger, sendAt: Date): Promise<void> {
  const texts = await releaseTexts(tx, ledger.ledgerId, { sendAt, textsMax: TEXTS_MAX });
  const sent = texts.filter(({ obstacle }) => obstacle === null);
  await recordActivities(
    tx,
    ledger,
    sent.map(({ conversation_id, body, media }) => ({ id: conversation_id, preview: previewOf(body, media.length) })),
  );
  const refused = texts.flatMap(({ id, obstacle }) =>
    obstacle === null ? [] : [{ messageId: id, status: 'failed' as const, errorCode: obstacle }],
  );
  await recordReceipts(tx, ledger, refused);
}
