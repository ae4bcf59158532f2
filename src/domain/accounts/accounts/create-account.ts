import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import { recordCommand } from '../../audit/index.ts';
import { issueKey } from '../api-keys/issue-key.ts';
import { type Account, insertAccount, insertLedgers } from './queries.ts';

export type CreatedAccount = Account & { test_key: string; live_key: string };

/**
 * Creates an account with its two ledgers and one account-wide key for each.
 * @param command the operator's command, for the audit log
 */
export async function createAccount(tx: Tx, name: string, command = 'accounts create'): Promise<CreatedAccount> {
  const account = await insertAccount(tx, newId('account'), name);
  const keys = { test: '', live: '' };
  const ledgers = await insertLedgers(tx, account.id);
  const by = { command, ledgerIds: ledgers.map(({ id }) => id) };
  await recordCommand(tx, by, { action: 'account.created', resourceId: account.id });
  for (const ledger of ledgers) {
    const issued = await issueKey(
      tx,
      { ledgerId: ledger.id, mode: ledger.mode },
      { name: 'First key', tenantId: null },
    );
    keys[ledger.mode] = issued.key;
  }
  return { ...account, test_key: keys.test, live_key: keys.live };
}
