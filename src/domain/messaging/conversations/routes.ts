import { Type } from 'typebox';
import { idPage, idPosition, readMomentCursor, toPage } from '../../../http/pagination.ts';
import { Id, PageOf } from '../../../http/schemas.ts';
import type { RoutePlugin } from '../../../http/types.ts';
import { getPhoneNumber } from '../../numbers/index.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { listMessages } from '../messages/queries.ts';
import { Message } from '../messages/schema.ts';
import { getConversation } from './get-conversation.ts';
import { listConversations } from './queries.ts';
import { Conversation, ConversationList, TimelineQuery } from './schema.ts';

const params = Type.Object({ conversation_id: Id });
const tags = ['Conversations'];
const UNBOUNDED = { start: null, end: null };

export const conversationRoutes: RoutePlugin = (api, context) => {
  api.get(
    '/conversations',
    {
      schema: {
        tags,
        summary: 'List conversations, most recent activity first',
        querystring: ConversationList,
        response: { 200: PageOf(Conversation) },
      },
    },
    async ({ scope, query }) => {
      const { limit = 25, after, tenant_id, phone_number_id } = query;
      const before = readMomentCursor('conversations', 2, after);
      const tenantId = await tenantFilter(context.db, scope, tenant_id);
      if (phone_number_id !== undefined) {
        await getPhoneNumber(context.db, scope, phone_number_id, 'phone_number_id');
      }
      const filter = { tenantId, phoneNumberId: phone_number_id ?? null, before, rows: limit + 1 };
      const rows = await listConversations(context.db, scope, filter);
      return toPage('conversations', rows, limit, (row) => [row.position, row.id]);
    },
  );

  api.get(
    '/conversations/:conversation_id',
    { schema: { tags, summary: 'Get a conversation', params, response: { 200: Conversation } } },
    ({ scope, params }) => getConversation(context.db, scope, params.conversation_id),
  );

  api.get(
    '/conversations/:conversation_id/timeline',
    {
      schema: {
        tags,
        summary: 'Everything in a thread, newest first',
        params,
        querystring: TimelineQuery,
        response: { 200: PageOf(Message) },
      },
    },
    async ({ scope, params, query }) => {
      const { limit = 25, after } = query;
      const before = idPosition('timeline', after);
      const { id } = await getConversation(context.db, scope, params.conversation_id);
      const all = { tenantId: null, direction: null, range: UNBOUNDED };
      const rows = await listMessages(context.db, scope, { ...all, conversationId: id, before, rows: limit + 1 });
      return idPage('timeline', rows, limit);
    },
  );
};
