import type { Tx } from '../../../db/database.ts';
import { formatUsd } from '../../../lib/money.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { emitEvent } from '../../events/index.ts';
import { FEE_MICROS, type FeeKind } from '../kinds.ts';
import { insertEntries, lockBalance, type NewEntry } from './queries.ts';
import { fallsLow } from './rules.ts';
import { toBalance } from './schema.ts';

/**
 * Posts entries to the balance of a live ledger. Skips an entry whose reference was used before. Emits balance.low if
 * the entries together take the balance below the minimum for registrations.
 * @returns the references of the posted entries
 * @throws Error for a test ledger: nothing is ever charged there
 */
export async function postEntries(tx: Tx, ledger: Ledger, entries: readonly NewEntry[]): Promise<string[]> {
  const once = [...new Map(entries.map((entry) => [entry.reference, entry])).values()];
  if (once.length === 0) return [];
  const before = await lockBalance(tx, ledger);
  const made = await insertEntries(tx, ledger, once);
  const after = made.at(-1)?.balanceAfter ?? before;
  if (fallsLow(before, after)) {
    await emitEvent(tx, ledger.ledgerId, {
      type: 'balance.low',
      tenantId: null,
      resourceId: ledger.accountId,
      data: toBalance(after),
    });
  }
  return made.map(({ reference }) => reference);
}

/** An immediate charge. `amountMicros` is its price, above 0; by default the price in FEE_MICROS. */
export type Fee = {
  readonly kind: FeeKind;
  readonly amountMicros?: bigint;
  /** Unique in the ledger: a repeat is not charged again. */
  readonly reference: string;
  readonly description: string;
};

/**
 * Charges a fee in the caller's transaction; nothing in test mode. The balance may fall below zero: `requireBalance`
 * checks it before.
 */
export async function chargeFee(tx: Tx, ledger: Ledger, fee: Fee): Promise<void> {
  const { amountMicros = FEE_MICROS[fee.kind], ...entry } = fee;
  if (amountMicros <= 0n) throw new RangeError(`a fee of ${formatUsd(amountMicros)} USD charges nothing`);
  if (ledger.mode === 'live') await postEntries(tx, ledger, [{ ...entry, amountMicros: -amountMicros }]);
}
