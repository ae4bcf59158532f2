import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import { type ChangeMaker, recordBy } from '../../audit/index.ts';
import { issueKey } from '../api-keys/issue-key.ts';
import { type Account, insertAccount, insertLedgers, type LedgerRow } from './queries.ts';

export type CreatedAccount = Account & { test_key: string; live_key: string };

/**
 * Creates an account with its two ledgers and one account-wide key for each.
 * @param command the operator's command, for the audit log
 */
export async function createAccount(tx: Tx, name: string, command = 'accounts create'): Promise<CreatedAccount> {
  const { ledgers, ...account } = await openAccount(tx, name, { command });
  const keys = { test: '', live: '' };
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

/** Creates an account with its two ledgers, without a key. */
export async function openAccount(tx: Tx, name: string, by: ChangeMaker): Promise<Account & { ledgers: LedgerRow[] }> {
  const account = await insertAccount(tx, newId('account'), name);
  const ledgers = await insertLedgers(tx, account.id);
  const ledgerIds = ledgers.map(({ id }) => id);
  await recordBy(tx, by, ledgerIds, { action: 'account.created', resourceId: account.id, tenantId: null });
  return { ...account, ledgers };
}
