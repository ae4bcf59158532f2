import { audioRoute } from '../../../http/audio/audio.ts';
import type { RoutePlugin } from '../../../http/edge/types.ts';
import { readMomentCursor, readRange, toPage } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { visible } from '../../../lib/scope.ts';
import { Type } from '../../../lib/type.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { getCall } from '../calls/control/control-call.ts';
import { deleteRecording } from '../deletion/delete-audio.ts';
import { withAudioLink } from './audio-link.ts';
import { findRecording, findRecordingAudio, listRecordings } from './queries.ts';
import { Recording, RecordingList } from './schema.ts';

const params = Type.Object({ recording_id: Id });
const tags = ['Recordings'];

const listSchema = {
  tags,
  summary: 'List recordings',
  querystring: RecordingList,
  response: { 200: PageOf(Recording) },
};
const deleteSchema = { tags, summary: 'Delete a recording', params, response: { 204: Type.Null() } };
const getSchema = { tags, summary: 'Get a recording', params, response: { 200: Recording } };

export const recordingRoutes: RoutePlugin = (api, context) => {
  const { db } = context;

  api.get('/recordings', { schema: listSchema }, async ({ scope, query }) => {
    const { limit = 25, after, tenant_id, call_id } = query;
    const before = readMomentCursor('recordings', 2, after);
    const range = readRange(query);
    const tenantId = await tenantFilter(db, scope, tenant_id);
    if (call_id !== undefined) await getCall(db, scope, call_id, 'call_id');
    const filter = { tenantId, callId: call_id ?? null, range, before, rows: limit + 1 };
    const rows = await listRecordings(db, scope, filter);
    return toPage(
      'recordings',
      rows.map((row) => withAudioLink(context, scope, 'recordings', row)),
      limit,
      ({ position, id }) => [position, id],
    );
  });

  api.get('/recordings/:recording_id', { schema: getSchema }, async ({ scope, params }) => {
    const row = visible(scope, await findRecording(db, scope, params.recording_id), 'recording_not_found');
    return withAudioLink(context, scope, 'recordings', row);
  });

  api.delete('/recordings/:recording_id', { schema: deleteSchema }, (request, reply) =>
    write(context, { request, reply, status: 204 }, (tx) =>
      deleteRecording(tx, request.scope, request.params.recording_id),
    ),
  );

  audioRoute(api, context, {
    url: '/recordings/:recording_id/audio',
    tag: 'Recordings',
    summary: 'Listen to a recording',
    params,
    notFound: 'recording_not_found',
    find: async (access, { recording_id }) => {
      const found = await findRecordingAudio(db, access, recording_id);
      const { blob_key: key } = visible(access, found, 'recording_not_found');
      return { key, filename: `${recording_id}.wav` };
    },
  });
};
