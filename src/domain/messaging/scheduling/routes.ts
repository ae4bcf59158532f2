import type { RoutePlugin } from '../../../http/edge/types.ts';
import { Id } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import { withMediaLinks } from '../media/media-link.ts';
import { Message } from '../messages/schema.ts';
import { cancelMessage } from './cancel-message.ts';

const params = Type.Object({ message_id: Id });
const schema = { tags: ['Messages'], summary: 'Cancel a scheduled message', params, response: { 200: Message } };

export const cancelMessageRoutes: RoutePlugin = (api, context) => {
  api.post('/messages/:message_id/cancel', { schema }, (request, reply) =>
    write(context, { request, reply, status: 200 }, async (tx) =>
      withMediaLinks(context, request.scope, await cancelMessage(tx, request.scope, request.params.message_id)),
    ),
  );
};
