import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition, readCursor, wordPage } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import { wordsOf } from '../../../lib/words.ts';
import { createTenant } from './create-tenant.ts';
import { deleteTenant } from './delete-tenant.ts';
import { getTenant } from './get-tenant.ts';
import { listTenants, readTenantsByWord } from './queries.ts';
import { CreateTenant, Tenant, TenantList, UpdateTenant } from './schema.ts';
import { updateTenant } from './update-tenant.ts';

const params = Type.Object({ tenant_id: Id });
const tags = ['Tenants'];

/** The cursors of the list by words, which has a different order. */
const BY_WORD = 'tenants_by_word';

export const tenantRoutes: RoutePlugin = (api, context) => {
  api.get(
    '/tenants',
    { schema: { tags, summary: 'List tenants', querystring: TenantList, response: { 200: PageOf(Tenant) } } },
    async ({ scope, query }) => {
      const { limit = 25, after, external_ref: externalRef = null, q } = query;
      const words = q === undefined ? null : wordsOf(q);
      if (words !== null && externalRef === null) {
        const page = { tenantId: scope.tenantId, words, before: readCursor(BY_WORD, 2, after), rows: limit };
        return wordPage(BY_WORD, await readTenantsByWord(context.db, scope.ledgerId, page));
      }
      const before = idPosition('tenants', after);
      // A text without words finds nothing.
      if (words?.length === 0) return idPage('tenants', [], limit);
      const rows = await listTenants(context.db, scope, { externalRef, words, before, rows: limit + 1 });
      return idPage('tenants', rows, limit);
    },
  );

  api.post(
    '/tenants',
    {
      config: { access: 'account' },
      schema: { tags, summary: 'Create a tenant', body: CreateTenant, response: { 201: Tenant } },
    },
    async (request, reply) =>
      write(context, { request, reply, status: 201 }, (tx) => createTenant(tx, request.scope, request.body)),
  );

  api.get(
    '/tenants/:tenant_id',
    { schema: { tags, summary: 'Get a tenant', params, response: { 200: Tenant } } },
    ({ scope, params }) => getTenant(context.db, scope, params.tenant_id),
  );

  api.patch(
    '/tenants/:tenant_id',
    {
      config: { access: 'account' },
      schema: { tags, summary: 'Update a tenant', params, body: UpdateTenant, response: { 200: Tenant } },
    },
    async (request, reply) =>
      write(context, { request, reply, status: 200 }, (tx) =>
        updateTenant(tx, request.scope, request.params.tenant_id, request.body),
      ),
  );

  api.delete(
    '/tenants/:tenant_id',
    {
      config: { access: 'account' },
      schema: { tags, summary: 'Delete a tenant', params, response: { 204: Type.Null() } },
    },
    async (request, reply) =>
      write(context, { request, reply, status: 204 }, (tx) =>
        deleteTenant(tx, request.scope, request.params.tenant_id, context.teardown),
      ),
  );
};
