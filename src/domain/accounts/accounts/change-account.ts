import type { Tx } from '../../../db/database.ts';
import type { ChangeMaker } from '../../audit/index.ts';
import { type Account, updateAccountRate, updateAccountStatus } from './queries.ts';
import { recordOfAccount } from './record-change.ts';

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
  const account = await updateAccountStatus(tx, id, status);
  if (account === undefined) return undefined;
  const action = status === 'suspended' ? 'account.suspended' : 'account.resumed';
  await recordOfAccount(tx, by, id, { action, resourceId: id });
  return account;
}

/**
 * Sets the rate limit of an account's keys, in requests a second. Keys that have their own limit keep it. Every process
 * notices within 5 seconds. Recorded in both modes.
 * @returns undefined if there is no such account
 */
export async function setAccountRate(
  tx: Tx,
  by: ChangeMaker,
  { id, rate }: { readonly id: string; readonly rate: number },
): Promise<Account | undefined> {
  const account = await updateAccountRate(tx, id, rate);
  if (account === undefined) return undefined;
  await recordOfAccount(tx, by, id, { action: 'account.limited', resourceId: id, details: { rate_limit: rate } });
  return account;
}
