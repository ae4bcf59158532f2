import { findAccount, LINK_LIFE_S, makeSignInLink } from '../domain/accounts/index.ts';
import { now } from '../lib/time/time.ts';
import { readConfig } from '../server/config.ts';
import { readKeys } from '../server/data-folder.ts';
import { type Command, noAccount, tell } from './command.ts';
import { withDatabase } from './install-database.ts';

export const consoleCommand: Command = {
  name: 'console',
  usage: '[--account ACCOUNT_ID]',
  summary: 'Print a link that signs a browser in to the console, once',
  description:
    'The link signs in an operator, who sees every account and the installation; with --account a person who sees that ' +
    'account alone. It works for one browser and for 15 minutes, and the session that it opens lasts 12 hours.',
  positionals: 0,
  options: ['account'],
  meanings: { account: 'The only account that the session may use; all by default' },
  examples: ['dialplane console', 'dialplane console --account acct_01m7ymjag4e008dtbschwftz34'],
  run: async ({ options: { account: accountId } }, terminal) => {
    const publicUrl = findPublicUrl();
    const url = await withDatabase(terminal, async (db) => {
      if (accountId !== undefined && (await findAccount(db, accountId)) === undefined) throw noAccount(accountId);
      return makeSignInLink(db, { accountId: accountId ?? null, publicUrl, lifeS: LINK_LIFE_S });
    });
    const expiresAt = new Date(now() + LINK_LIFE_S * 1000);
    tell(terminal, { url, account_id: accountId ?? null, expires_at: expiresAt }, [
      url,
      `It signs one browser in, until ${expiresAt.toISOString()}. Whoever has it can sign in: show it to nobody.`,
    ]);
    return 0;
  },
};

/** Returns the address that the environment gives, or else the one at which the server of this folder last started. */
function findPublicUrl(): string {
  const { publicUrl, isAddressGiven, databaseUrl, dataFolder } = readConfig();
  const installed = databaseUrl === null && !isAddressGiven ? readKeys(dataFolder)?.base_url : undefined;
  return installed ?? publicUrl;
}
