import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import { issueKey } from '../api-keys/issue-key.ts';
import { type Account, insertAccount, insertLedgers } from './queries.ts';

export type CreatedAccount = Account & { test_key: string; live_key: string };

/** Creates an account with its two ledgers and one account-wide key for each. */
export async function createAccount(tx: Tx, name: string): Promise<CreatedAccount> {
  const account = await insertAccount(tx, newId('account'), name);
  const keys = { test: '', live: '' };
  for (const ledger of await insertLedgers(tx, account.id)) {
    const issued = await issueKey(
      tx,
      { ledgerId: ledger.id, mode: ledger.mode },
      { name: 'First key', tenantId: null },
    );
    keys[ledger.mode] = issued.key;
  }
  return { ...account, test_key: keys.test, live_key: keys.live };
}
