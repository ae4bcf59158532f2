import type { Db } from '../../../db/database.ts';
import type { RoutePlugin } from '../../../http/edge/types.ts';
import { momentPage, readMomentCursor } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import type { Scope } from '../../../lib/scope.ts';
import { Type } from '../../../lib/type.ts';
import { contactFilter } from '../../contacts/index.ts';
import { numberFilter } from '../../numbers/index.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { getConversation } from './get-conversation.ts';
import { type ConversationFilter, listConversations } from './queries.ts';
import { Conversation, ConversationList, TimelineQuery, UpdateConversation } from './schema.ts';
import { createTimeline, type TimelineSource } from './timeline.ts';
import { updateConversation } from './update-conversation.ts';

const params = Type.Object({ conversation_id: Id });
const tags = ['Conversations'];

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
        const { limit = 25, after } = query;
        const before = readMomentCursor('conversations', 2, after);
        const filter = await readFilter(context.db, scope, query);
        const rows = await listConversations(context.db, scope, { ...filter, before, rows: limit + 1 });
        return momentPage('conversations', rows, limit);
      },
    );

    api.get(
      '/conversations/:conversation_id',
      { schema: { tags, summary: 'Get a conversation', params, response: { 200: Conversation } } },
      ({ scope, params }) => getConversation(context.db, scope, params.conversation_id),
    );

    api.patch(
      '/conversations/:conversation_id',
      {
        schema: {
          tags,
          summary: 'Change a conversation',
          params,
          body: UpdateConversation,
          response: { 200: Conversation },
        },
      },
      (request, reply) => {
        const change = { id: request.params.conversation_id, change: request.body };
        return write(context, { request, reply, status: 200 }, (tx) => updateConversation(tx, request.scope, change));
      },
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
