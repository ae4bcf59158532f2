/** What operators do about the accounts of the installation: how each stands, suspension and credit. */
import { type Account, AccountResource } from '../../domain/accounts/index.ts';
import type { Session } from '../../http/edge/authenticate.ts';
import type { RoutePlugin } from '../../http/edge/types.ts';
import { idPage, idPosition } from '../../http/schemas/pagination.ts';
import { PageOf } from '../../http/schemas/schemas.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { formatUsd, parseUsd } from '../../lib/money.ts';
import { creditBalance, setAccountStatus } from './change-account.ts';
import { listStandings, type StandingRow } from './queries.ts';
import { AccountCredit, AccountStanding, CreditAccount, accountParams as params, StandingList } from './schema.ts';

const tags = ['Accounts'];
const config = { access: 'operator' } as const;

/** The routes of operators about accounts, in the console's own API. */
export const accountDeskRoutes: RoutePlugin = (api, { db }) => {
  const standings = { querystring: StandingList, response: { 200: PageOf(AccountStanding) } };
  api.get(
    '/account_standings',
    { config, schema: { tags, summary: 'List how accounts stand', ...standings } },
    async ({ query: { limit = 25, after } }) => {
      const before = idPosition('account_standings', after);
      const rows = await listStandings(db, { before, rows: limit + 1 });
      const { data, ...page } = idPage(
        'account_standings',
        rows.map((row) => ({ ...row, id: row.account_id })),
        limit,
      );
      return { data: data.map(shown), ...page };
    },
  );

  const change = { params, response: { 200: AccountResource } };
  const set = async (session: Session, id: string, status: Account['status']) => {
    const account = await db.transaction((tx) => setAccountStatus(tx, { session }, { id, status }));
    if (account === undefined) throw new ApiError('account_not_found');
    return { object: 'account' as const, ...account };
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

  api.post(
    '/accounts/:account_id/credit',
    {
      config,
      schema: { tags, summary: 'Credit an account', params, body: CreditAccount, response: { 200: AccountCredit } },
    },
    async ({ session, params: { account_id: id }, body: { amount_usd, reference } }) => {
      const amountMicros = parseUsd(amount_usd) ?? 0n;
      if (amountMicros === 0n) {
        throw new ApiError('invalid_body', { param: 'amount_usd', message: '"amount_usd" must be more than 0.' });
      }
      const made = await db.transaction((tx) => creditBalance(tx, { session }, { id, amountMicros, reference }));
      if (made === undefined) throw new ApiError('account_not_found');
      return {
        ...{ object: 'account_credit' as const, account_id: id, is_credited: made.credited },
        balance_usd: formatUsd(made.balanceMicros),
      };
    },
  );
};

function shown({ balance, ...row }: StandingRow & { id?: string }) {
  const { id: _, ...standing } = row;
  return { object: 'account_standing' as const, ...standing, balance_usd: formatUsd(BigInt(balance)) };
}
