import { createAccount, findAccount, listAccounts } from '../../domain/accounts/index.ts';
import type { Product } from '../compose.ts';
import type { Config } from '../settings/config.ts';
import { type InstallKeys, keysFile, readKeys, writeKeys } from './data-folder.ts';

/** Keys of the first account of an embedded install. `fresh` is true on the start that made them. */
export type FirstKeys = InstallKeys & { fresh: boolean; file: string };

/** Returns the first account's keys. The first start makes them and stores them in the data folder. */
export async function firstKeys({ context }: Product, config: Config, url: string): Promise<FirstKeys | undefined> {
  const file = keysFile(config.dataFolder);
  const kept = readKeys(config.dataFolder);
  // If the account in the file does not exist, the first start was killed before its commit.
  if (kept !== undefined && (await findAccount(context.db, kept.account_id)) !== undefined) {
    if (kept.base_url !== url) writeKeys(config.dataFolder, { ...kept, base_url: url });
    return { ...kept, base_url: url, fresh: false, file };
  }
  // Accounts exist, but the operator has removed the file of keys. Keys cannot be read from the database, but the
  // operator can make new ones.
  if ((await listAccounts(context.db)).length > 0) return undefined;
  return context.db.transaction(async (tx) => {
    const account = await createAccount(tx, 'First account', 'start');
    const keys = { account_id: account.id, test_key: account.test_key, live_key: account.live_key, base_url: url };
    // The file is written before the commit. After a crash in between, the next start overwrites the file. In the other
    // order, there could be an account whose keys are unknown.
    writeKeys(config.dataFolder, keys);
    return { ...keys, fresh: true, file };
  });
}
