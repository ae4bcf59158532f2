import type { RoutePlugin } from '../../../http/edge/types.ts';
import { Id } from '../../../http/schemas/schemas.ts';
import { Type } from '../../../lib/type.ts';
import { getCall } from '../calls/control-call.ts';
import { listSegments } from './queries.ts';
import { transcriptOf } from './rules.ts';
import { Transcript } from './schema.ts';

const schema = {
  tags: ['Calls'],
  summary: 'Get the transcript of a call so far',
  params: Type.Object({ call_id: Id }),
  response: { 200: Transcript },
};

export const transcriptRoutes: RoutePlugin = (api, { db }) => {
  api.get('/calls/:call_id/transcript', { schema }, async ({ scope, params }) => {
    const { id } = await getCall(db, scope, params.call_id);
    return transcriptOf(id, await listSegments(db, scope, id));
  });
};
