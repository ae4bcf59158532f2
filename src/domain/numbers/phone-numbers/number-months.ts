/**
 * The months of a number. The first is counted when a tenant gets the number, and another after each month until the
 * number is released. A job is the timer of the next month; the release of the number cancels it.
 */
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { ledgerNow } from '../../../db/ledgers.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { monthsAfter } from '../../../lib/time/months.ts';
import { cancelJobs, enqueue } from '../../../queue/jobs/enqueue.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs } from '../../../queue/jobs/job-claims.ts';
import { meterUsage } from '../../billing/index.ts';
import { ledgerFields } from './new-jobs.ts';
import { lockNumber } from './queries.ts';
import type { PhoneNumber } from './schema.ts';

const MONTH_JOB = 'number.month';

/** `month` counts from 0; `since` is when month 0 began, in ledger time. */
type MonthPayload = {
  readonly ledger: Ledger;
  readonly numberId: string;
  readonly since: string;
  readonly month: number;
};

function monthJobId(numberId: string): string {
  return `${MONTH_JOB}:${numberId}`;
}

/** Counts the first month of numbers that a tenant has just got. */
export async function startNumberMonths(tx: Tx, ledger: Ledger, numbers: readonly PhoneNumber[]): Promise<void> {
  const since = (await ledgerNow(tx, ledger.ledgerId)).toISOString();
  for (const number of numbers) await countMonth(tx, { ledger, numberId: number.id, since, month: 0 }, number);
}

/** Stops counting months of released numbers; a month that has begun stays counted. */
export async function endNumberMonths(tx: Tx, { ledgerId }: Ledger, numberIds: readonly string[]): Promise<void> {
  await cancelJobs(tx, ledgerId, numberIds.map(monthJobId));
}

/** Returns the handler of the job that counts the next month of a number. */
export function numberMonthJob({ db }: Pick<Context, 'db'>): JobHandler<MonthPayload> {
  return {
    kind: MONTH_JOB,
    queue: 'default',
    run: async ([job]) => {
      const { ledger, numberId } = (job as Job<MonthPayload>).payload;
      await db.transaction(async (tx) => {
        // Locks the number first, as its release does, so that the two run one after the other.
        const number = await lockNumber(tx, ledger, numberId);
        await completeJobs(tx, [job as Job]);
        if (number !== undefined && number.status !== 'released') {
          await countMonth(tx, (job as Job<MonthPayload>).payload, number);
        }
      });
    },
  };
}

async function countMonth(tx: Tx, payload: MonthPayload, number: PhoneNumber): Promise<void> {
  const { since, month } = payload;
  const ledger = ledgerFields(payload.ledger);
  const { ledgerId } = ledger;
  const begins = monthsAfter(new Date(since), month);
  // Counted at the start of the month, even if the job runs late.
  const reference = `${number.id}:${month}`;
  await meterUsage(tx, ledgerId, [
    { kind: 'number_month', tenantId: number.tenant_id, quantity: 1, reference, at: begins },
  ]);
  await enqueue(tx, [
    {
      ledgerId,
      queue: 'default',
      kind: MONTH_JOB,
      id: monthJobId(number.id),
      payload: { ...payload, ledger, month: month + 1 },
      dueAt: monthsAfter(new Date(since), month + 1),
    },
  ]);
}
