import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import { createTenant } from './create-tenant.ts';
import { deleteTenant } from './delete-tenant.ts';
import { getTenant } from './get-tenant.ts';
import { listTenants } from './queries.ts';
import { CreateTenant, Tenant, TenantList, UpdateTenant } from './schema.ts';
import { updateTenant } from './update-tenant.ts';

const params = Type.Object({ tenant_id: Id });
const tags = ['Tenants'];

export const tenantRoutes: RoutePlugin = (api, context) => {
  api.get(
    '/tenants',
    { schema: { tags, summary: 'List tenants', querystring: TenantList, response: { 200: PageOf(Tenant) } } },
    async ({ scope, query }) => {
      const { limit = 25, after, external_ref = null } = query;
      const before = idPosition('tenants', after);
      const rows = await listTenants(context.db, scope, { externalRef: external_ref, before, rows: limit + 1 });
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
