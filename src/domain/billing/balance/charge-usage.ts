/**
 * Charges live traffic from its sums, never message by message: one entry for each kind and hour once the hour is over.
 * What is still waiting is charged ahead of that as soon as it would take the balance below the next mark (20 USD,
 * nothing), so that balance.low comes when it is true and traffic stops when the money is used up. What is added to an
 * hour afterwards is charged by a further entry.
 */
import type { Database, Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Prices } from '../prices.ts';
import { postEntries } from './post-entries.ts';
import { lockBalance, type NewEntry } from './queries.ts';
import { listUnchargedLedgers, lockUnchargedHours, markCharged, type UnchargedHour } from './rating-queries.ts';
import { carries, fallsLow } from './rules.ts';

/** Time for transactions that were open when the hour ended, and for their facts to be added up. */
const GRACE_MS = 2 * 60_000;

/** Charges what is due in every live ledger, each in a transaction of its own. */
export async function chargeAllUsage(db: Database, prices: Prices): Promise<void> {
  for (const ledger of await listUnchargedLedgers(db)) {
    await db.transaction((tx) => chargeUsage(tx, ledger, prices));
  }
}

/** Charges what is due in one live ledger. Each unit of usage is charged once, whoever else is at it. */
export async function chargeUsage(tx: Tx, ledger: Ledger, prices: Prices): Promise<void> {
  const balance = await lockBalance(tx, ledger);
  const waiting = await lockUnchargedHours(tx, ledger, GRACE_MS);
  const cost = waiting.reduce((sum, each) => sum + each.quantity * prices[each.kind], 0n);
  const due = crossesMark(balance, balance - cost) ? waiting : waiting.filter((each) => each.isOver);
  if (due.length === 0) return;
  await markCharged(tx, ledger, due);
  const entries = due.map((each) => toEntry(each, prices)).filter(({ amountMicros }) => amountMicros < 0n);
  const made = await postEntries(tx, ledger, entries);
  // The mark and the entry commit together, so that a reference that is taken is a defect: nothing of this may stay.
  if (made.length < entries.length) throw new Error(`usage of ledger ${ledger.ledgerId} was charged before`);
}

function crossesMark(before: bigint, after: bigint): boolean {
  return fallsLow(before, after) || (carries(before, 'traffic') && !carries(after, 'traffic'));
}

function toEntry({ kind, hour, quantity, charges }: UnchargedHour, prices: Prices): NewEntry {
  const at = hour.toISOString().replace(':00.000Z', 'Z');
  const further = charges === 0 ? '' : `:${charges + 1}`;
  return {
    kind,
    amountMicros: -quantity * prices[kind],
    reference: `usage:${kind}:${at}${further}`,
    description: `${quantity} ${kind} in the hour from ${at}`,
  };
}
