import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { postEntries } from './post-entries.ts';
import { findBalance } from './queries.ts';

/** A payment. `reference` identifies it: a payment is credited at most once. */
export type Credit = { readonly amountMicros: bigint; readonly reference?: string | undefined };

/**
 * Credits the balance of a live ledger.
 * @returns whether it was credited (false for a reference that was used before), and the balance after it
 */
export async function creditAccount(
  tx: Tx,
  ledger: Ledger,
  { amountMicros, reference = newId('balance_entry') }: Credit,
): Promise<{ credited: boolean; balanceMicros: bigint }> {
  if (amountMicros <= 0n) throw new RangeError('a credit is more than nothing');
  const entry = { kind: 'credit', amountMicros, reference: `credit:${reference}`, description: 'Credit' };
  const made = await postEntries(tx, ledger, [entry]);
  return { credited: made.length > 0, balanceMicros: await findBalance(tx, ledger) };
}
