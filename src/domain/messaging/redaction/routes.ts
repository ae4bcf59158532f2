import type { RoutePlugin } from '../../../http/edge/types.ts';
import { Id } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import { Message } from '../messages/schema.ts';
import { redactMessage } from './redact-message.ts';

const params = Type.Object({ message_id: Id });
const schema = {
  tags: ['Messages'],
  summary: 'Delete the body and the media of a message',
  params,
  response: { 200: Message },
};

export const redactMessageRoutes: RoutePlugin = (api, context) => {
  api.post('/messages/:message_id/redact', { schema }, (request, reply) =>
    write(context, { request, reply, status: 200 }, (tx) =>
      redactMessage(tx, request.scope, request.params.message_id),
    ),
  );
};
