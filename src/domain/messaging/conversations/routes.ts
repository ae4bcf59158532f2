import type { RoutePlugin } from '../../../http/edge/types.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import { getConversation } from './get-conversation.ts';
import { listRoute } from './list-route.ts';
import { readConversation, readerOf, withUnread } from './readers.ts';
import { Conversation, ReadConversation, ReaderQuery, TimelineQuery, UpdateConversation } from './schema.ts';
import { createTimeline, type TimelineSource } from './timeline.ts';
import { updateConversation } from './update-conversation.ts';

const params = Type.Object({ conversation_id: Id });
const tags = ['Conversations'];

/** Returns the routes of conversations. `sources` are the kinds of timeline items other than messages. */
export function conversationRoutes(sources: readonly TimelineSource[]): RoutePlugin {
  const timeline = createTimeline(sources);
  return (api, context) => {
    listRoute(api, context);

    api.get(
      '/conversations/:conversation_id',
      {
        schema: {
          tags,
          summary: 'Get a conversation',
          params,
          querystring: ReaderQuery,
          response: { 200: Conversation },
        },
      },
      async ({ scope, params, query }) => {
        const reader = readerOf(scope, query.reader);
        const conversation = await getConversation(context.db, scope, params.conversation_id);
        return (await withUnread(context.db, scope, [conversation], reader))[0] as Conversation;
      },
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

    api.post(
      '/conversations/:conversation_id/read',
      {
        schema: {
          tags,
          summary: 'Mark a conversation as read',
          params,
          body: ReadConversation,
          response: { 204: Type.Null() },
        },
      },
      (request, reply) => {
        const { scope, params, body } = request;
        return write(context, { request, reply, status: 204 }, (tx) =>
          readConversation(tx, scope, params.conversation_id, body.reader),
        );
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
