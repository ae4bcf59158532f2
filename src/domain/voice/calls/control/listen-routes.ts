import type { RoutePlugin } from '../../../../http/edge/types.ts';
import { Id } from '../../../../http/schemas/schemas.ts';
import { write } from '../../../../http/writes/write.ts';
import { Type } from '../../../../lib/type.ts';
import { addListener, removeListener } from './listen.ts';
import { CallListener, StartListening } from './listen-schema.ts';

const tags = ['Calls'];
const addSchema = {
  tags,
  summary: 'Let a web client listen to a call',
  params: Type.Object({ call_id: Id }),
  body: StartListening,
  response: { 201: CallListener },
};
const removeSchema = {
  tags,
  summary: 'End a listener of a call',
  params: Type.Object({ call_id: Id, listener_id: Id }),
  response: { 204: Type.Null() },
};

export const listenRoutes: RoutePlugin = (api, context) => {
  api.post('/calls/:call_id/listeners', { schema: addSchema }, async (request, reply) => {
    const { scope, params, body } = request;
    return await write(context, { request, reply, status: 201 }, (tx) =>
      addListener(context, tx, scope, { callId: params.call_id, wanted: body }),
    );
  });

  api.delete('/calls/:call_id/listeners/:listener_id', { schema: removeSchema }, async (request, reply) => {
    const { scope, params } = request;
    return await write(context, { request, reply, status: 204 }, async (tx) => {
      await removeListener(tx, scope, { callId: params.call_id, id: params.listener_id });
      return null;
    });
  });
};
