import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { visible } from '../../../lib/scope.ts';
import { Type } from '../../../lib/type.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { PersonOfTenant } from '../person.ts';
import { createErasure } from './create-erasure.ts';
import { findErasure, listErasures } from './queries.ts';
import { PersonErasure, PersonErasureList } from './schema.ts';

const params = Type.Object({ person_erasure_id: Id });
const tags = ['Person erasures'];
const list = {
  tags,
  summary: 'List erasures of people',
  querystring: PersonErasureList,
  response: { 200: PageOf(PersonErasure) },
};
const create = { tags, summary: 'Erase a person', body: PersonOfTenant, response: { 202: PersonErasure } };
const get = { tags, summary: 'Get the erasure of a person', params, response: { 200: PersonErasure } };

export const personErasureRoutes: RoutePlugin = (api, context) => {
  const { db } = context;

  api.get('/person_erasures', { schema: list }, async ({ scope, query: { limit = 25, after, tenant_id } }) => {
    const before = idPosition('person_erasures', after);
    const tenantId = await tenantFilter(db, scope, tenant_id);
    const rows = await listErasures(db, scope, { tenantId, before, rows: limit + 1 });
    return idPage('person_erasures', rows, limit);
  });

  api.post('/person_erasures', { schema: create }, (request, reply) =>
    write(context, { request, reply, status: 202 }, (tx) => createErasure(tx, request.scope, request.body)),
  );

  api.get('/person_erasures/:person_erasure_id', { schema: get }, async ({ scope, params }) =>
    visible(scope, await findErasure(db, scope, params.person_erasure_id), 'person_erasure_not_found'),
  );
};
