import { LARGE_BODY_BYTES_MAX } from '../../../http/edge/body-limits.ts';
import type { RoutePlugin } from '../../../http/edge/types.ts';
import { momentPage, readMomentCursor, readRange } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write, writeBatched } from '../../../http/writes/write.ts';
import { readTraceparent } from '../../../lib/http/traceparent.ts';
import { visible } from '../../../lib/scope.ts';
import { Type } from '../../../lib/type.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { getConversation } from '../conversations/get-conversation.ts';
import { withMediaLinks } from '../media/media-link.ts';
import { findAttempts } from './attempt-queries.ts';
import { checkDraft } from './draft.ts';
import { listMessages } from './list-queries.ts';
import { findMessage } from './queries.ts';
import { Message, MessageAttempts, MessageList, SendCheck, SendMessage } from './schema.ts';
import { createSender } from './send-message.ts';

const params = Type.Object({ message_id: Id });
const tags = ['Messages'];
const get = { tags, summary: 'Get a message', params, response: { 200: Message } };
const attempts = {
  tags,
  summary: 'List the attempts to send a message',
  params,
  response: { 200: MessageAttempts },
};

export const messageRoutes: RoutePlugin = (api, context) => {
  const sender = createSender(context);

  api.post(
    '/messages',
    {
      config: { batched: true },
      bodyLimit: LARGE_BODY_BYTES_MAX,
      schema: { tags, summary: 'Send a message', body: SendMessage, response: { 201: Message } },
    },
    (request, reply) => {
      const { scope, body, headers } = request;
      const traceparent = readTraceparent(headers['traceparent']);
      // Before the Idempotency-Key, like the checks of the schema.
      const draft = checkDraft(body);
      return writeBatched(
        context,
        { request, reply, status: 201 },
        {
          batch: (idempotency) => sender.send(scope, { wanted: body, draft }, { idempotency, traceparent }),
          rebuild: (messageId) => sender.replay(scope, messageId),
        },
      );
    },
  );

  api.post(
    '/messages/check',
    {
      config: { unlogged: 'console', hasNoEffect: true },
      bodyLimit: LARGE_BODY_BYTES_MAX,
      schema: { tags, summary: 'Would this send be accepted?', body: SendMessage, response: { 200: SendCheck } },
    },
    (request, reply) => {
      const outside = () => sender.check(request.scope, request.body, request.id);
      return write(context, { request, reply, status: 200 }, { outside, keepsSlot: true });
    },
  );

  api.get(
    '/messages',
    { schema: { tags, summary: 'List messages', querystring: MessageList, response: { 200: PageOf(Message) } } },
    async ({ scope, query }) => {
      const { limit = 25, after, tenant_id, conversation_id } = query;
      const { direction = null, from = null, to = null, status = null } = query;
      const before = readMomentCursor('messages', 2, after);
      const range = readRange(query);
      const tenantId = await tenantFilter(context.db, scope, tenant_id);
      const conversation =
        conversation_id === undefined
          ? null
          : await getConversation(context.db, scope, conversation_id, 'conversation_id');
      const filter = { tenantId, conversation, direction, from, to, status };
      const rows = await listMessages(context.db, scope, filter, { range, before, rows: limit + 1 });
      return momentPage(
        'messages',
        rows.map((row) => withMediaLinks(context, scope, row)),
        limit,
      );
    },
  );

  api.get('/messages/:message_id', { schema: get }, async ({ scope, params }) => {
    const row = visible(scope, await findMessage(context.db, scope, params.message_id), 'message_not_found');
    return withMediaLinks(context, scope, row);
  });

  api.get('/messages/:message_id/attempts', { schema: attempts }, async ({ scope, params }) => {
    const row = visible(scope, await findAttempts(context.db, scope, params.message_id), 'message_not_found');
    return { data: row.attempts };
  });
};
