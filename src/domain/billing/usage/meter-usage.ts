import type { Tx } from '../../../db/database.ts';
import { insertUsage, type Usage } from './queries.ts';

/**
 * Counts usage in the transaction of its cause, in one statement. Skips a repeat of a kind and reference, and a
 * quantity of 0. `at` is for usage that is noticed later than it happened.
 * @throws RangeError if a quantity is negative or not a whole number
 */
export async function meterUsage(tx: Tx, ledgerId: number, usages: readonly Usage[]): Promise<void> {
  for (const { kind, quantity } of usages) {
    if (!Number.isSafeInteger(quantity) || quantity < 0) throw new RangeError(`${quantity} is no quantity of ${kind}`);
  }
  const used = usages.filter(({ quantity }) => quantity > 0);
  if (used.length > 0) await insertUsage(tx, ledgerId, used);
}
