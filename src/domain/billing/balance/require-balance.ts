import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { formatUsd } from '../../../lib/money.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { findBalance, lockBalance } from './queries.ts';
import { type BalanceUse, carries, REGISTRATION_MICROS } from './rules.ts';

/**
 * Checks that the balance is sufficient. `registration` (also purchases) needs 20 USD. It locks the balance until the
 * transaction ends, so that concurrent registrations see each other's charges. `traffic` needs more than 0. Test mode
 * needs no balance. Error: insufficient_balance.
 */
export async function requireBalance(tx: Tx, ledger: Ledger, use: BalanceUse): Promise<void> {
  if (ledger.mode === 'test') return;
  const balance = use === 'registration' ? await lockBalance(tx, ledger) : await findBalance(tx, ledger);
  checkBalance(ledger, balance, use);
}

/** The check of `requireBalance`, for a balance that the caller has already read. Error: insufficient_balance. */
export function checkBalance({ mode }: Pick<Ledger, 'mode'>, balanceMicros: bigint, use: BalanceUse): void {
  if (mode === 'test' || carries(balanceMicros, use)) return;
  const needed =
    use === 'registration' ? `at least ${formatUsd(REGISTRATION_MICROS)} USD are` : 'more than 0.00 USD is';
  throw new ApiError('insufficient_balance', {
    message: `The balance of the account is ${formatUsd(balanceMicros)} USD; ${needed} needed.`,
  });
}
