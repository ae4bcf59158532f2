/**
 * Carriers suspend a campaign long after they have approved it, and reinstate it, and not every registry says so by
 * itself. One job for each live ledger goes round its decided campaigns, so that ten thousand of them are a hundred
 * batches and not ten thousand timers. It has come to stay: a ledger without campaigns costs one short query a round.
 */
import type { CampaignReview, RegistryPort } from '../../../carriers/ports/registry.ts';
import type { Context } from '../../../context.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import { POLL_MS } from '../registration/registration.ts';
import { listWatchedCampaigns, type WatchedCampaign } from './registration-queries.ts';
import { reviewCampaign } from './review-campaign.ts';
import { WATCH_JOB, type WatchPayload } from './watch-job.ts';

/** Campaigns of one look, and how many of them the registry is asked for at a time. */
const BATCH_MAX = 100;
const ASKED_AT_ONCE = 10;

type WatchContext = Pick<Context, 'db' | 'carriers' | 'log'>;

/** The job that goes round the campaigns of a ledger, one batch each time it runs. */
export function createWatchHandler(context: WatchContext): JobHandler<WatchPayload> {
  return { kind: WATCH_JOB, queue: 'default', run: ([job]) => watch(context, job as Job<WatchPayload>) };
}

async function watch({ db, carriers, log }: WatchContext, job: Job<WatchPayload>): Promise<void> {
  const { ledger, after } = job.payload;
  const campaigns = await listWatchedCampaigns(db, ledger, { after, rows: BATCH_MAX });
  const { changed, failures } = await lookAt(carriers.registry(ledger), ledger, campaigns);
  if (failures.length > 0) log.warn({ err: failures[0], count: failures.length }, 'campaigns could not be looked at');
  // Where all looks of a batch failed the registry is away, and the round is over.
  const isOver = campaigns.length < BATCH_MAX || failures.length === campaigns.length;
  const next = isOver ? null : (campaigns.at(-1)?.id ?? null);
  await db.transaction(async (tx) => {
    for (const { id, review } of changed) await reviewCampaign(tx, ledger, id, review);
    await rescheduleJob(tx, job, { delayMs: isOver ? POLL_MS : 0, payload: { ...job.payload, after: next } });
  });
}

type Changed = { readonly id: string; readonly review: CampaignReview };

/** Asks how the campaigns stand: those that stand otherwise than here, and why others could not be looked at. */
async function lookAt(
  registry: RegistryPort,
  ledger: Ledger,
  campaigns: readonly WatchedCampaign[],
): Promise<{ changed: Changed[]; failures: unknown[] }> {
  const changed: Changed[] = [];
  const failures: unknown[] = [];
  for (let start = 0; start < campaigns.length; start += ASKED_AT_ONCE) {
    const asked = campaigns.slice(start, start + ASKED_AT_ONCE);
    const answers = await Promise.allSettled(asked.map(({ id }) => registry.findCampaign(ledger, id)));
    for (const [index, answer] of answers.entries()) {
      const { id, status } = asked[index] as WatchedCampaign;
      if (answer.status === 'rejected') failures.push(answer.reason);
      else if (answer.value.found !== 'accepted')
        failures.push(new Error(`the campaign ${id} is ${answer.value.found}`));
      else if (answer.value.review.status !== status) changed.push({ id, review: answer.value.review });
    }
  }
  return { changed, failures };
}
