import type { Tx } from '../../db/database.ts';
import { type Account, limitAccount, listLedgers, moveAccount } from '../../domain/accounts/index.ts';
import { recordCommand, recordSession } from '../../domain/audit/index.ts';
import { creditAccount } from '../../domain/billing/index.ts';
import type { Session } from '../../http/edge/authenticate.ts';
import { formatUsd } from '../../lib/money.ts';

/** Who changes an account: an operator by a command or in the console. */
type Operator = { readonly command: string } | { readonly session: Session };

type NewStatus = { readonly id: string; readonly status: Account['status'] };

/**
 * Suspends or resumes an account; every process notices within 5 seconds. Recorded in both modes.
 * @returns undefined if there is no such account
 */
export async function setAccountStatus(tx: Tx, by: Operator, { id, status }: NewStatus): Promise<Account | undefined> {
  const account = await moveAccount(tx, id, status);
  if (account === undefined) return undefined;
  const ledgerIds = (await listLedgers(tx, id)).map((ledger) => ledger.id);
  const action = status === 'suspended' ? 'account.suspended' : 'account.resumed';
  await record(tx, by, ledgerIds, { action, resourceId: id });
  return account;
}

/**
 * Sets how many requests a second each key of an account has that was made without its own number; every process
 * notices within 5 seconds. Recorded in both modes.
 * @returns undefined if there is no such account
 */
export async function setAccountRate(
  tx: Tx,
  by: Operator,
  { id, rate }: { readonly id: string; readonly rate: number },
): Promise<Account | undefined> {
  const account = await limitAccount(tx, id, rate);
  if (account === undefined) return undefined;
  const ledgerIds = (await listLedgers(tx, id)).map((ledger) => ledger.id);
  await record(tx, by, ledgerIds, { action: 'account.limited', resourceId: id, details: { rate_limit: rate } });
  return account;
}

type Payment = { readonly id: string; readonly amountMicros: bigint; readonly reference?: string | undefined };

/**
 * Adds money to the balance of an account. A payment with a reference that was used before adds nothing.
 * @returns undefined if there is no such account
 */
export async function creditBalance(
  tx: Tx,
  by: Operator,
  { id, amountMicros, reference }: Payment,
): Promise<{ credited: boolean; balanceMicros: bigint } | undefined> {
  const ledger = (await listLedgers(tx, id)).find(({ mode }) => mode === 'live');
  if (ledger === undefined) return undefined;
  const { id: ledgerId, mode } = ledger;
  const made = await creditAccount(tx, { ledgerId, mode, accountId: id }, { amountMicros, reference });
  if (made.credited) {
    const details = { amount_usd: formatUsd(amountMicros), ...(reference !== undefined && { reference }) };
    await record(tx, by, [ledgerId], { action: 'account.credited', resourceId: id, details });
  }
  return made;
}

type Action = Parameters<typeof recordCommand>[2];

function record(tx: Tx, by: Operator, ledgerIds: readonly number[], action: Action): Promise<void> {
  return 'command' in by
    ? recordCommand(tx, { ...by, ledgerIds }, action)
    : recordSession(tx, { ...by, ledgerIds }, action);
}
