import type { Tx } from '../../db/database.ts';
import { type Account, limitAccount, listLedgers, moveAccount, recordOfAccount } from '../../domain/accounts/index.ts';
import { type ChangeMaker, recordBy } from '../../domain/audit/index.ts';
import { creditAccount } from '../../domain/billing/index.ts';
import { formatUsd } from '../../lib/money.ts';

type NewStatus = { readonly id: string; readonly status: Account['status'] };

/**
 * Suspends or resumes an account; every process notices within 5 seconds. Recorded in both modes.
 * @returns undefined if there is no such account
 */
export async function setAccountStatus(
  tx: Tx,
  by: ChangeMaker,
  { id, status }: NewStatus,
): Promise<Account | undefined> {
  const account = await moveAccount(tx, id, status);
  if (account === undefined) return undefined;
  const action = status === 'suspended' ? 'account.suspended' : 'account.resumed';
  await recordOfAccount(tx, by, id, { action, resourceId: id });
  return account;
}

/**
 * Sets how many requests a second each key of an account has that was made without its own number; every process
 * notices within 5 seconds. Recorded in both modes.
 * @returns undefined if there is no such account
 */
export async function setAccountRate(
  tx: Tx,
  by: ChangeMaker,
  { id, rate }: { readonly id: string; readonly rate: number },
): Promise<Account | undefined> {
  const account = await limitAccount(tx, id, rate);
  if (account === undefined) return undefined;
  await recordOfAccount(tx, by, id, { action: 'account.limited', resourceId: id, details: { rate_limit: rate } });
  return account;
}

type Payment = { readonly id: string; readonly amountMicros: bigint; readonly reference?: string | undefined };

/**
 * Adds money to the balance of an account. A payment with a reference that was used before adds nothing.
 * @returns undefined if there is no such account
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
