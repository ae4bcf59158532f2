import type { RoutePlugin } from '../../../http/edge/types.ts';
import { Id } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { Type } from '../../../lib/type.ts';
import { getCall } from '../calls/control/control-call.ts';
import { deleteTranscript } from '../deletion/delete-transcript.ts';
import { isTranscriptDeleted } from '../deletion/queries.ts';
import { listSegments } from './queries.ts';
import { transcriptOf } from './rules.ts';
import { Transcript } from './schema.ts';

const schema = {
  tags: ['Calls'],
  summary: 'Get the transcript of a call so far',
  params: Type.Object({ call_id: Id }),
  response: { 200: Transcript },
};
const deleteSchema = {
  tags: ['Calls'],
  summary: 'Delete the transcript of a call',
  params: Type.Object({ call_id: Id }),
  response: { 204: Type.Null() },
};

export const transcriptRoutes: RoutePlugin = (api, context) => {
  const { db } = context;

  api.get('/calls/:call_id/transcript', { schema }, async ({ scope, params }) => {
    const { id } = await getCall(db, scope, params.call_id);
    if (await isTranscriptDeleted(db, scope, id)) throw new ApiError('transcript_not_found');
    return transcriptOf(id, await listSegments(db, scope, id));
  });

  api.delete('/calls/:call_id/transcript', { schema: deleteSchema }, (request, reply) =>
    write(context, { request, reply, status: 204 }, (tx) =>
      deleteTranscript(tx, request.scope, request.params.call_id),
    ),
  );
};
