import type { Db } from '../../../db/database.ts';
import type { RoutePlugin } from '../../../http/edge/types.ts';
import { momentPage, readMomentCursor } from '../../../http/schemas/pagination.ts';
import { PageOf } from '../../../http/schemas/schemas.ts';
import type { Scope } from '../../../lib/scope.ts';
import { contactFilter } from '../../contacts/index.ts';
import { numberFilter } from '../../numbers/index.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { type ConversationFilter, listConversations } from './queries.ts';
import { listByUnread, readerOf, requireReader, withUnread } from './readers.ts';
import { Conversation, ConversationList } from './schema.ts';

/**
 * Reads the filters of a list of conversations. Errors: tenant_not_found, tenant_restricted_key,
 * phone_number_not_found, contact_not_found.
 */
async function readFilter(db: Db, scope: Scope, query: ConversationList): Promise<ConversationFilter> {
  const { tenant_id, phone_number_id, contact_id, external_number = null, opted_out = null } = query;
  const { state = null, assignee = null, tag = null } = query;
  const tenantId = await tenantFilter(db, scope, tenant_id);
  const number = await numberFilter(db, scope, phone_number_id);
  const contact = await contactFilter(db, scope, contact_id);
  const contactId = contact?.id ?? null;
  return { tenantId, number, externalNumber: external_number, optedOut: opted_out, state, assignee, tag, contactId };
}

export const listRoute: RoutePlugin = (api, context) => {
  api.get(
    '/conversations',
    {
      schema: {
        tags: ['Conversations'],
        summary: 'List conversations, most recent activity first',
        querystring: ConversationList,
        response: { 200: PageOf(Conversation) },
      },
    },
    async ({ scope, query }) => {
      const { limit = 25, after, unread } = query;
      const before = readMomentCursor('conversations', 2, after);
      const filter = await readFilter(context.db, scope, query);
      if (unread !== undefined) {
        const reader = requireReader(scope, query.reader);
        return listByUnread(context.db, scope, { filter, reader, unread, before, limit });
      }
      const reader = readerOf(scope, query.reader);
      const rows = await listConversations(context.db, scope, { ...filter, before, rows: limit + 1 });
      const page = momentPage('conversations', rows, limit);
      return { ...page, data: await withUnread(context.db, scope, page.data, reader) };
    },
  );
};
