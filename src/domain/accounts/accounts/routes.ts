import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { PageOf } from '../../../http/schemas/schemas.ts';
import { openAccount } from './create-account.ts';
import { type Account, listAccountPage } from './queries.ts';
import { AccountList, AccountResource, CreateAccount } from './schema.ts';

const tags = ['Accounts'];

/** The routes of accounts, in the console's own API. */
export const accountRoutes: RoutePlugin = (api, { db }) => {
  api.get(
    '/accounts',
    {
      schema: {
        ...{ tags, summary: 'List accounts', querystring: AccountList },
        response: { 200: PageOf(AccountResource) },
      },
    },
    async ({ session, query: { limit = 25, after } }) => {
      const before = idPosition('accounts', after);
      const rows = await listAccountPage(db, session.account_id, { before, rows: limit + 1 });
      return idPage('accounts', rows.map(shown), limit);
    },
  );

  api.post(
    '/accounts',
    {
      config: { access: 'operator' },
      schema: { tags, summary: 'Make an account', body: CreateAccount, response: { 201: AccountResource } },
    },
    async ({ session, body: { name } }, reply) => {
      const { ledgers: _, ...account } = await db.transaction((tx) => openAccount(tx, name, { session }));
      return reply.code(201).send(shown(account));
    },
  );
};

function shown(account: Account): AccountResource {
  return { object: 'account', ...account };
}
