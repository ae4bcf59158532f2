import type { RoutePlugin } from '../../../http/edge/types.ts';
import { readMomentCursor, toPage } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { checkOptOut, createOptOut, removeOptOut } from './change-opt-out.ts';
import { listOptOuts } from './queries.ts';
import { CreateOptOut, OptOut, OptOutDeletion, OptOutList } from './schema.ts';

const params = Type.Object({ external_number: Id });
const tags = ['Opt-outs'];

export const optOutRoutes: RoutePlugin = (api, context) => {
  api.get(
    '/opt_outs',
    { schema: { tags, summary: 'List opt-outs', querystring: OptOutList, response: { 200: PageOf(OptOut) } } },
    async ({ scope, query }) => {
      const { limit = 25, after, tenant_id, external_number: externalNumber = null } = query;
      const before = readMomentCursor('opt_outs', 3, after);
      const tenantId = await tenantFilter(context.db, scope, tenant_id);
      const rows = await listOptOuts(context.db, scope, { tenantId, externalNumber, before, rows: limit + 1 });
      return toPage('opt_outs', rows, limit, (row) => [row.position, row.tenant_id, row.external_number]);
    },
  );

  api.post(
    '/opt_outs',
    {
      schema: { tags, summary: 'Create an opt-out', body: CreateOptOut, response: { 201: OptOut } },
      preHandler: async ({ body }) => checkOptOut(body),
    },
    async (request, reply) =>
      write(context, { request, reply, status: 201 }, (tx) => createOptOut(tx, request.scope, request.body)),
  );

  api.delete(
    '/opt_outs/:external_number',
    {
      schema: {
        tags,
        summary: 'Remove an opt-out that the API or an import set',
        params,
        querystring: OptOutDeletion,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) =>
      write(context, { request, reply, status: 204 }, (tx) =>
        removeOptOut(tx, request.scope, request.params.external_number, request.query.tenant_id),
      ),
  );
};
