/** For operators: the balance of each account, its failures in all modules, and credit. */
import type { RoutePlugin } from '../../http/edge/types.ts';
import { idPage, idPosition } from '../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../http/schemas/schemas.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { formatUsd, parseUsd } from '../../lib/money.ts';
import { Type } from '../../lib/type.ts';
import { creditBalance } from './credit-balance.ts';
import { listStandings, type StandingRow } from './queries.ts';
import { AccountCredit, AccountStanding, CreditAccount, StandingList } from './schema.ts';

const tags = ['Accounts'];
const config = { access: 'operator' } as const;
const params = Type.Object({ account_id: Id });

/** The routes of standings and credit in the console's own API. */
export const accountStandingRoutes: RoutePlugin = (api, { db }) => {
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
