/**
 * The months of a campaign. The first starts when it is submitted. A month that starts while the campaign is under
 * review or approved is counted and charged. A month that starts while it is suspended is free unless the campaign is
 * reinstated in that month. The timer of the next month is a job; it ends with the campaign.
 */
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { monthsAfter } from '../../../lib/time/months.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs } from '../../../queue/jobs/job-claims.ts';
import { chargeFee, FEE_MICROS, meterUsage } from '../../billing/index.ts';
import { lockChargedCampaign } from './registration-queries.ts';

const MONTH_JOB = 'campaign.month';

/** `month` counts from 0; `since` is when month 0 began, in ledger time. */
type MonthPayload = {
  readonly ledger: Ledger;
  readonly campaignId: string;
  readonly since: string;
  readonly month: number;
};

/** Returns the number of the month that contains `moment`, which must not be before `since`. */
export function monthAt(since: Date, moment: Date): number {
  const years = moment.getUTCFullYear() - since.getUTCFullYear();
  const month = years * 12 + moment.getUTCMonth() - since.getUTCMonth();
  return monthsAfter(since, month) <= moment ? month : month - 1;
}

type Months = { readonly id: string; readonly tenantId: string; readonly since: Date };

/**
 * Charges the month of a campaign's submission, and plans the next one. Months are counted from the first submission. A
 * later submission, after a rejection, does not charge a month again.
 */
export async function startCampaignMonths(tx: Tx, ledger: Ledger, id: string): Promise<void> {
  const campaign = await lockChargedCampaign(tx, ledger, id);
  if (campaign === undefined) return;
  const { tenant_id: tenantId, submitted_at: since, now } = campaign;
  const month = monthAt(since, now);
  await chargeMonth(tx, ledger, { id, tenantId, since, ...(month > 0 && { at: now }) }, month);
  await planMonth(tx, ledger, { id, since, month: month + 1 });
}

/** Charges the month of a campaign's reinstatement, unless it was charged when the month started. */
export async function resumeCampaignMonths(tx: Tx, ledger: Ledger, id: string): Promise<void> {
  const campaign = await lockChargedCampaign(tx, ledger, id);
  if (campaign === undefined) return;
  const { tenant_id: tenantId, submitted_at: since, now } = campaign;
  // Metered at the reinstatement. So usage summaries of the time before it, when nothing was owed, stay the same.
  await chargeMonth(tx, ledger, { id, tenantId, since, at: now }, monthAt(since, now));
}

/** Returns the handler of the timer of a campaign's next month. */
export function campaignMonthJob({ db }: Pick<Context, 'db'>): JobHandler<MonthPayload> {
  return {
    kind: MONTH_JOB,
    queue: 'default',
    run: async ([job]) => {
      const { ledger, campaignId: id, since, month } = (job as Job<MonthPayload>).payload;
      await db.transaction(async (tx) => {
        const campaign = await lockChargedCampaign(tx, ledger, id);
        await completeJobs(tx, [job as Job]);
        if (campaign === undefined || campaign.has_ended || campaign.status === 'rejected') return;
        const months = { id, tenantId: campaign.tenant_id, since: new Date(since) };
        if (campaign.status !== 'suspended') await chargeMonth(tx, ledger, months, month);
        await planMonth(tx, ledger, { id, since: months.since, month: month + 1 });
      });
    },
  };
}

async function planMonth(
  tx: Tx,
  { ledgerId, accountId, mode }: Ledger,
  { id, since, month }: { id: string; since: Date; month: number },
): Promise<void> {
  const ledger = { ledgerId, accountId, mode };
  const payload: MonthPayload = { ledger, campaignId: id, since: since.toISOString(), month };
  const dueAt = monthsAfter(since, month);
  await enqueue(tx, [{ ledgerId, queue: 'default', kind: MONTH_JOB, id: `${MONTH_JOB}:${id}`, payload, dueAt }]);
}

/** Charges a month at most once. It is metered at its start, unless `at` is given. */
async function chargeMonth(
  tx: Tx,
  ledger: Ledger,
  { id, tenantId, since, at }: Months & { readonly at?: Date },
  month: number,
): Promise<void> {
  const begins = monthsAfter(since, month);
  const reference = `${id}:${month}`;
  await meterUsage(tx, ledger.ledgerId, [
    { kind: 'campaign_month', tenantId, quantity: 1, reference, at: at ?? begins },
  ]);
  await chargeFee(tx, ledger, {
    kind: 'campaign_month',
    amountMicros: FEE_MICROS.campaign_month,
    reference: `campaign_month:${reference}`,
    description: `Campaign ${id}, month from ${begins.toISOString().slice(0, 10)}`,
  });
}
