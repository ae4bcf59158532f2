import type { RoutePlugin } from '../../../http/edge/types.ts';
import { momentPage, readMomentCursor } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { Type } from '../../../lib/type.ts';
import { numberFilter } from '../../numbers/index.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { getConversation } from './get-conversation.ts';
import { listConversations } from './queries.ts';
import { Conversation, ConversationList, TimelineQuery } from './schema.ts';
import { createTimeline, type TimelineSource } from './timeline.ts';

const params = Type.Object({ conversation_id: Id });
const tags = ['Conversations'];

/** Returns the routes of conversations. `sources` are the kinds of timeline items besides messages. */
export function conversationRoutes(sources: readonly TimelineSource[]): RoutePlugin {
  const timeline = createTimeline(sources);
  return (api, context) => {
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
        const { limit = 25, after, tenant_id, phone_number_id, external_number = null, opted_out = null } = query;
        const before = readMomentCursor('conversations', 2, after);
        const tenantId = await tenantFilter(context.db, scope, tenant_id);
        const number = await numberFilter(context.db, scope, phone_number_id);
        const filter = { tenantId, number, externalNumber: external_number, optedOut: opted_out };
        const rows = await listConversations(context.db, scope, { ...filter, before, rows: limit + 1 });
        return momentPage('conversations', rows, limit);
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
          summary: 'List everything in a conversation, newest first',
          params,
          querystring: TimelineQuery,
          response: { 200: PageOf(timeline.item) },
        },
      },
      async ({ scope, params, query }) => {
        const { limit = 25, after } = query;
        const { id: conversationId } = await getConversation(context.db, scope, params.conversation_id);
        return timeline.read(context, scope, { conversationId, after, limit });
      },
    );
  };
}
