import type { RoutePlugin } from '../../../http/edge/types.ts';
import { Id } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import { MediaStream, StartedStream, StartStream, StreamList } from './schema.ts';
import { checkStream, startStream } from './start-stream.ts';
import { listCallStreams, stopStream } from './stop-stream.ts';

const ofCall = Type.Object({ call_id: Id });
const ofStream = Type.Object({ call_id: Id, stream_id: Id });
const tags = ['Media streams'];

const startSchema = {
  tags,
  summary: 'Start a media stream',
  params: ofCall,
  body: StartStream,
  response: { 201: StartedStream },
};
const listSchema = { tags, summary: 'List the media streams of a call', params: ofCall, response: { 200: StreamList } };
const stopSchema = { tags, summary: 'Stop a media stream', params: ofStream, response: { 200: MediaStream } };

export const mediaStreamRoutes: RoutePlugin = (api, context) => {
  api.post('/calls/:call_id/streams', { schema: startSchema }, (request, reply) => {
    const { scope, params, body } = request;
    checkStream(context.settings, scope, body);
    return write(context, { request, reply, status: 201 }, (tx) =>
      startStream(context, tx, scope, { ...body, callId: params.call_id }),
    );
  });

  api.get('/calls/:call_id/streams', { schema: listSchema }, async ({ scope, params }) => ({
    data: await listCallStreams(context.db, scope, params.call_id),
  }));

  api.delete('/calls/:call_id/streams/:stream_id', { schema: stopSchema }, (request, reply) => {
    const { call_id: callId, stream_id: streamId } = request.params;
    return write(context, { request, reply, status: 200 }, (tx) => stopStream(tx, request.scope, { callId, streamId }));
  });
};
