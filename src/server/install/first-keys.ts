import { createAccount, findAccount, listAccounts } from '../../domain/accounts/index.ts';
import type { Product } from '../compose.ts';
import type { Config } from '../settings/config.ts';
import { type InstallKeys, keysFile, readKeys, writeKeys } from './data-folder.ts';

/** Keys of the first account of an embedded install; `fresh` on the start that made them. */
export type FirstKeys = InstallKeys & { fresh: boolean; file: string };

/** Returns the first account's keys, which the first start creates and keeps in the data folder. */
export async function firstKeys({ context }: Product, config: Config, url: string): Promise<FirstKeys | undefined> {
  const file = keysFile(config.dataFolder);
  const kept = readKeys(config.dataFolder);
  // A file whose account does not exist is from a first start that was killed before its commit.
  if (kept !== undefined && (await findAccount(context.db, kept.account_id)) !== undefined) {
    if (kept.base_url !== url) writeKeys(config.dataFolder, { ...kept, base_url: url });
    return { ...kept, base_url: url, fresh: false, file };
  }
  // Accounts exist and the key file was removed: keys cannot be read back, but more can be made.
  if ((await listAccounts(context.db)).length > 0) return undefined;
  return context.db.transaction(async (tx) => {
    const account = await createAccount(tx, 'First account', 'start');
    const keys = { account_id: account.id, test_key: account.test_key, live_key: account.live_key, base_url: url };
    // Written before the commit. After a crash in between, there is a file that the next start overwrites, and never an
    // account without known keys.
    writeKeys(config.dataFolder, keys);
    return { ...keys, fresh: true, file };
  });
}
