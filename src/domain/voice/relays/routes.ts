import type { RoutePlugin } from '../../../http/edge/types.ts';
import { Id } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import type { Speech } from '../../../speech/port.ts';
import { WantedRelaySettings } from '../../numbers/index.ts';
import { Relay } from './schema.ts';
import { checkRelay, startRelay } from './start-relay.ts';
import { getRelay, stopRelay } from './stop-relay.ts';

const params = Type.Object({ call_id: Id });
const tags = ['Relays'];

const startSchema = {
  tags,
  summary: 'Connect an agent of text to a call',
  params,
  body: WantedRelaySettings,
  response: { 201: Relay },
};
const getSchema = { tags, summary: 'Get the latest relay of a call', params, response: { 200: Relay } };
const stopSchema = { tags, summary: 'End the relay of a call', params, response: { 200: Relay } };

/** Returns the routes of the relay of a call. */
export function relayRoutes(speech: Pick<Speech, 'toText'>): RoutePlugin {
  return (api, context) => {
    api.post('/calls/:call_id/relay', { schema: startSchema }, (request, reply) => {
      const { scope, params, body } = request;
      checkRelay(context.settings, scope, body);
      return write(context, { request, reply, status: 201 }, (tx) =>
        startRelay({ speech }, tx, scope, { ...body, callId: params.call_id }),
      );
    });

    api.get('/calls/:call_id/relay', { schema: getSchema }, ({ scope, params }) =>
      getRelay(context.db, scope, params.call_id),
    );

    api.delete('/calls/:call_id/relay', { schema: stopSchema }, (request, reply) =>
      write(context, { request, reply, status: 200 }, (tx) => stopRelay(tx, request.scope, request.params.call_id)),
    );
  };
}
