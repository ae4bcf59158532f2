/**
 * Charges live traffic from its sums, never message by message: one entry for each kind and hour once the hour is over.
 * Usage that still waits is charged earlier as soon as it would take the balance below the next mark (20 USD, then 0).
 * So balance.low is emitted when it is true, and traffic stops when the balance is used up. Usage added to a charged
 * hour is charged by another entry.
 */
import type { Database, Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Prices } from '../prices.ts';
import { postEntries } from './post-entries.ts';
import { lockBalance, type NewEntry } from './queries.ts';
import { listUnchargedLedgers, lockUnchargedHours, markCharged, type UnchargedHour } from './rating-queries.ts';
import { carries, fallsLow } from './rules.ts';

/** The wait after the end of an hour, for transactions that were open then and for their usage to be added up. */
const GRACE_MS = 2 * 60_000;

/** Charges the usage that is due in every live ledger, each in its own transaction. */
export async function chargeAllUsage(db: Database, prices: Prices): Promise<void> {
  for (const ledger of await listUnchargedLedgers(db)) {
    await db.transaction((tx) => chargeUsage(tx, ledger, prices));
  }
}

/** Charges the usage that is due in one live ledger. Each unit is charged once, even by concurrent calls. */
async function chargeUsage(tx: Tx, ledger: Ledger, prices: Prices): Promise<void> {
  const balance = await lockBalance(tx, ledger);
  const waiting = await lockUnchargedHours(tx, ledger, GRACE_MS);
  const cost = waiting.reduce((sum, usage) => sum + usage.quantity * prices[usage.kind], 0n);
  const due = crossesMark(balance, balance - cost) ? waiting : waiting.filter((usage) => usage.isOver);
  if (due.length === 0) return;
  await markCharged(tx, ledger, due);
  const entries = due.map((usage) => toEntry(usage, prices)).filter(({ amountMicros }) => amountMicros < 0n);
  const made = await postEntries(tx, ledger, entries);
  // The mark and the entry commit together. So a used reference is a defect, and the throw rolls everything back.
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
