import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPosition, toPage } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { visible } from '../../../lib/scope.ts';
import { Type } from '../../../lib/type.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { deleteCandidate, findCandidate, listCandidates } from './queries.ts';
import { OptOutCandidate, OptOutCandidateList } from './schema.ts';

const params = Type.Object({ message_id: Id });
const tags = ['Opt-outs'];
const LIST = 'opt_out_candidates';

const listSchema = {
  tags,
  summary: 'List texts that may be opt-outs',
  querystring: OptOutCandidateList,
  response: { 200: PageOf(OptOutCandidate) },
};
const dismissSchema = { tags, summary: 'Decide that a text is no opt-out', params, response: { 204: Type.Null() } };

/** The texts that may be meant as opt-outs. A person decides: by making the opt-out, or by dismissing the text. */
export const optOutCandidateRoutes: RoutePlugin = (api, context) => {
  api.get('/opt_outs/candidates', { schema: listSchema }, async ({ scope, query }) => {
    const { limit = 25, after, tenant_id } = query;
    const before = idPosition(LIST, after);
    const tenantId = await tenantFilter(context.db, scope, tenant_id);
    const rows = await listCandidates(context.db, scope, { tenantId, before, rows: limit + 1 });
    return toPage(LIST, rows, limit, ({ message_id }) => [message_id]);
  });

  api.delete('/opt_outs/candidates/:message_id', { schema: dismissSchema }, async (request, reply) => {
    const { scope, params } = request;
    return await write(context, { request, reply, status: 204 }, async (tx) => {
      visible(scope, await findCandidate(tx, scope, params.message_id), 'not_found');
      await deleteCandidate(tx, scope, params.message_id);
    });
  });
};
