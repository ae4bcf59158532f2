import { findAccount, LINK_LIFE_S, makeSignInLink } from '../../domain/accounts/index.ts';
import { PROGRAM } from '../../lib/program.ts';
import { now } from '../../lib/time/time.ts';
import { type Command, noAccount, tell, UsageError } from '../command.ts';
import { withDatabase } from '../install/install-database.ts';
import { findPublicUrl } from '../install/public-url.ts';
import { makeUserLink } from './users.ts';

export const consoleCommand: Command = {
  name: 'console',
  usage: '[--user EMAIL | --account ACCOUNT_ID]',
  summary: 'Print a link that signs a browser in to the console, once',
  description:
    'The link signs in an operator, who sees every account and the installation; with --account a person who sees that ' +
    `account alone; with --user a person of "${PROGRAM} users", whose name the audit log has. It works for one browser and for 15 minutes, and the session that it opens lasts 12 hours.`,
  positionals: 0,
  options: ['account', 'user'],
  meanings: {
    account: 'The only account that the session may use; all by default',
    user: 'The e-mail address of the user who signs in',
  },
  examples: [`${PROGRAM} console`, `${PROGRAM} console --account acct_01m7ymjag4e008dtbschwftz34`],
  run: async ({ options: { account: accountId, user } }, terminal) => {
    if (accountId !== undefined && user !== undefined) throw new UsageError('give --user or --account, not both');
    const publicUrl = findPublicUrl(terminal);
    const url = await withDatabase(terminal, async (db) => {
      if (user !== undefined) return makeUserLink(db, user, terminal);
      if (accountId !== undefined && (await findAccount(db, accountId)) === undefined) throw noAccount(accountId);
      return makeSignInLink(db, { accountId: accountId ?? null, publicUrl, lifeS: LINK_LIFE_S });
    });
    const expiresAt = new Date(now() + LINK_LIFE_S * 1000);
    tell(terminal, { url, account_id: accountId ?? null, expires_at: expiresAt }, [
      url,
      `It signs one browser in, until ${expiresAt.toISOString()}. Anyone with the link can sign in: do not share it.`,
    ]);
    return 0;
  },
};
