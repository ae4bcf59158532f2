/**
 * Carriers suspend and reinstate a campaign long after its approval, and not every registry reports it. One job for
 * each live ledger polls its decided campaigns in batches: ten thousand campaigns take a hundred batches, not ten
 * thousand timers. The job is never removed: a ledger without campaigns costs one short query a round.
 */
import type { Carriers } from '../../../carriers/ports/carrier.ts';
import type { CampaignReview } from '../../../carriers/ports/registry.ts';
import type { Context } from '../../../context.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { CARRIER_JOBS_LINGERING, type Job, type JobHandler } from '../../../queue/jobs/job.ts';
import { rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import { POLL_MS } from '../registration/registration.ts';
import { listWatchedCampaigns, type WatchedCampaign } from './registration-queries.ts';
import { reviewCampaign } from './review-campaign.ts';
import { registryRef } from './rules.ts';
import { WATCH_JOB, type WatchPayload } from './watch-job.ts';

/** Campaigns in one batch, and concurrent queries to the registry. */
const BATCH_MAX = 100;
const QUERIES_MAX = 10;

type WatchContext = Pick<Context, 'db' | 'carriers' | 'log'>;

/** Returns the handler of the job that polls the campaigns of a ledger, one batch each run. */
export function createWatchHandler(context: WatchContext): JobHandler<WatchPayload> {
  return {
    kind: WATCH_JOB,
    queue: 'default',
    lingeringMax: CARRIER_JOBS_LINGERING,
    run: ([job]) => watch(context, job as Job<WatchPayload>),
  };
}

async function watch({ db, carriers, log }: WatchContext, job: Job<WatchPayload>): Promise<void> {
  const { ledger, after } = job.payload;
  const campaigns = await listWatchedCampaigns(db, ledger, { after, rows: BATCH_MAX });
  const { changed, failures } = await queryCampaigns(carriers, ledger, campaigns);
  if (failures.length > 0)
    log.warn(
      { err: failures[0], count: failures.length },
      'campaigns could not be read from the registry; the next round asks again',
    );
  // If every query of a batch failed, the registry is unavailable and the round ends.
  const isOver = campaigns.length < BATCH_MAX || failures.length === campaigns.length;
  const next = isOver ? null : (campaigns.at(-1)?.id ?? null);
  await db.transaction(async (tx) => {
    for (const { ref, review } of changed) await reviewCampaign(tx, ledger, ref, review);
    await rescheduleJob(tx, job, { delayMs: isOver ? POLL_MS : 0, payload: { ...job.payload, after: next } });
  });
}

type Changed = { readonly ref: string; readonly review: CampaignReview };

/**
 * Asks the registry for the campaigns. Returns the campaigns with a changed status, and the errors of failed queries.
 */
async function queryCampaigns(
  carriers: Carriers,
  ledger: Ledger,
  campaigns: readonly WatchedCampaign[],
): Promise<{ changed: Changed[]; failures: unknown[] }> {
  const changed: Changed[] = [];
  const failures: unknown[] = [];
  for (let start = 0; start < campaigns.length; start += QUERIES_MAX) {
    const asked = campaigns
      .slice(start, start + QUERIES_MAX)
      .map(({ id, attempt, status, connection_id: connection }) => ({
        ref: registryRef(id, attempt),
        status,
        connection,
      }));
    const answers = await Promise.allSettled(
      asked.map(async ({ ref, connection }) => carriers.registry(ledger, connection).findCampaign(ledger, ref)),
    );
    for (const [index, answer] of answers.entries()) {
      const { ref, status } = asked[index] as (typeof asked)[number];
      if (answer.status === 'rejected') failures.push(answer.reason);
      else if (answer.value.found !== 'accepted')
        failures.push(new Error(`the campaign ${ref} is ${answer.value.found}`));
      else if (answer.value.review.status !== status) changed.push({ ref, review: answer.value.review });
    }
  }
  return { changed, failures };
}
