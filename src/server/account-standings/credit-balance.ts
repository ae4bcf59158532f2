import type { Tx } from '../../db/database.ts';
import { listLedgers } from '../../domain/accounts/index.ts';
import { type ChangeMaker, recordBy } from '../../domain/audit/index.ts';
import { creditAccount } from '../../domain/billing/index.ts';
import { formatUsd } from '../../lib/money.ts';

type Payment = { readonly id: string; readonly amountMicros: bigint; readonly reference?: string | undefined };

/**
 * Adds money to the balance of an account. Adds nothing if an earlier payment had the same reference.
 * @returns undefined if the account does not exist
 */
export async function creditBalance(
  tx: Tx,
  by: ChangeMaker,
  { id, amountMicros, reference }: Payment,
): Promise<{ credited: boolean; balanceMicros: bigint } | undefined> {
  const ledger = (await listLedgers(tx, id)).find(({ mode }) => mode === 'live');
  if (ledger === undefined) return undefined;
  const { id: ledgerId, mode } = ledger;
  const made = await creditAccount(tx, { ledgerId, mode, accountId: id }, { amountMicros, reference });
  if (made.credited) {
    const details = { amount_usd: formatUsd(amountMicros), ...(reference !== undefined && { reference }) };
    await recordBy(tx, by, [ledgerId], { action: 'account.credited', resourceId: id, tenantId: null, details });
  }
  return made;
}
