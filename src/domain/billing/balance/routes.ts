import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { PageOf } from '../../../http/schemas/schemas.ts';
import { findBalance, listEntries } from './queries.ts';
import { Balance, BalanceEntry, BalanceEntryList, NoQuery, toBalance, toEntry } from './schema.ts';

const tags = ['Usage and balance'];
const config = { access: 'account' } as const;

const balanceSchema = { tags, summary: 'Get the balance', querystring: NoQuery, response: { 200: Balance } };
const entriesSchema = {
  tags,
  summary: 'List balance entries',
  querystring: BalanceEntryList,
  response: { 200: PageOf(BalanceEntry) },
};

/** The routes of the account's prepaid balance. */
export const balanceRoutes: RoutePlugin = (api, context) => {
  api.get('/balance', { config, schema: balanceSchema }, async ({ scope }) =>
    toBalance(await findBalance(context.db, scope)),
  );

  api.get('/balance/entries', { config, schema: entriesSchema }, async ({ scope, query }) => {
    const { limit = 25, after } = query;
    const before = idPosition('balance_entries', after);
    const { data, ...page } = idPage(
      'balance_entries',
      await listEntries(context.db, scope, { before, rows: limit + 1 }),
      limit,
    );
    return { ...page, data: data.map(toEntry) };
  });
};
