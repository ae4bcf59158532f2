/** For operators: the notices that need an operator. One operator settles a notice for all. */
import type { RoutePlugin } from '../../http/edge/types.ts';
import { ListOf } from '../../http/schemas/schemas.ts';
import { Type } from '../../lib/type.ts';
import { listNotices, type NoticeRow } from './queries.ts';
import { NOTICES_SHOWN, Notice, SettleNotice } from './schema.ts';
import { reopenNotice, settleNotice } from './settle-notice.ts';

const tags = ['Accounts'];
const config = { access: 'operator' } as const;

/** The routes of notices, in the console's own API. */
export const noticeRoutes: RoutePlugin = (api, { db }) => {
  api.get(
    '/notices',
    { config, schema: { tags, summary: 'List notices', response: { 200: ListOf(Notice, NOTICES_SHOWN) } } },
    async () => ({ data: (await listNotices(db, NOTICES_SHOWN)).map(shown) }),
  );

  api.post(
    '/settled_notices',
    { config, schema: { tags, summary: 'Settle a notice', body: SettleNotice, response: { 200: Notice } } },
    async ({ session, body }) => shown(await db.transaction((tx) => settleNotice(tx, session, body))),
  );

  api.delete(
    '/settled_notices',
    {
      config,
      schema: { tags, summary: 'Open a notice again', querystring: SettleNotice, response: { 204: Type.Null() } },
    },
    async ({ session, query }, reply) => {
      await db.transaction((tx) => reopenNotice(tx, session, query));
      return reply.code(204).send(null);
    },
  );
};

function shown({ ledger_id: _, settled_by: by, settled_at: at, ...notice }: NoticeRow) {
  return { object: 'notice' as const, ...notice, settled: by === null || at === null ? null : { by, at } };
}
