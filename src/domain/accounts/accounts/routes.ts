import type { Session } from '../../../http/edge/authenticate.ts';
import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { Type } from '../../../lib/type.ts';
import { setAccountStatus } from './change-account.ts';
import { openAccount } from './create-account.ts';
import { type Account, listAccountPage } from './queries.ts';
import { AccountList, AccountResource, CreateAccount } from './schema.ts';

const tags = ['Accounts'];
const config = { access: 'operator' } as const;
const params = Type.Object({ account_id: Id });

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
      config,
      schema: { tags, summary: 'Make an account', body: CreateAccount, response: { 201: AccountResource } },
    },
    async ({ session, body: { name } }, reply) => {
      const { ledgers: _, ...account } = await db.transaction((tx) => openAccount(tx, name, { session }));
      return reply.code(201).send(shown(account));
    },
  );

  const change = { params, response: { 200: AccountResource } };
  const set = async (session: Session, id: string, status: Account['status']) => {
    const account = await db.transaction((tx) => setAccountStatus(tx, { session }, { id, status }));
    if (account === undefined) throw new ApiError('account_not_found');
    return shown(account);
  };
  api.post(
    '/accounts/:account_id/suspend',
    { config, schema: { tags, summary: 'Suspend an account', ...change } },
    ({ session, params: { account_id } }) => set(session, account_id, 'suspended'),
  );
  api.post(
    '/accounts/:account_id/resume',
    { config, schema: { tags, summary: 'Resume an account', ...change } },
    ({ session, params: { account_id } }) => set(session, account_id, 'active'),
  );
};

function shown(account: Account): AccountResource {
  return { object: 'account', ...account };
}
