import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { createTemplate, deleteTemplate, getTemplate, updateTemplate, withVariables } from './change-templates.ts';
import { listTemplates } from './queries.ts';
import { CreateMessageTemplate, MessageTemplate, MessageTemplateList, UpdateMessageTemplate } from './schema.ts';

const params = Type.Object({ template_id: Id });
const tags = ['Message templates'];

export const messageTemplateRoutes: RoutePlugin = (api, context) => {
  const create = { body: CreateMessageTemplate, response: { 201: MessageTemplate } };
  api.post(
    '/message_templates',
    { schema: { tags, summary: 'Create a message template', ...create } },
    async (request, reply) =>
      write(context, { request, reply, status: 201 }, (tx) => createTemplate(tx, request.scope, request.body)),
  );

  const list = { querystring: MessageTemplateList, response: { 200: PageOf(MessageTemplate) } };
  api.get(
    '/message_templates',
    { schema: { tags, summary: 'List message templates', ...list } },
    async ({ scope, query: { limit = 25, after, tenant_id } }) => {
      const before = idPosition('message_templates', after);
      const tenantId = await tenantFilter(context.db, scope, tenant_id);
      // A tenant's key sees the templates that the tenant may use.
      const owners = { tenantId, withShared: scope.tenantId !== null && tenant_id === undefined };
      const rows = await listTemplates(context.db, scope, { owners, before, rows: limit + 1 });
      return idPage('message_templates', rows.map(withVariables), limit);
    },
  );

  api.get(
    '/message_templates/:template_id',
    { schema: { tags, summary: 'Get a message template', params, response: { 200: MessageTemplate } } },
    ({ scope, params }) => getTemplate(context.db, scope, params.template_id),
  );

  const update = { params, body: UpdateMessageTemplate, response: { 200: MessageTemplate } };
  api.patch(
    '/message_templates/:template_id',
    { schema: { tags, summary: 'Change a message template', ...update } },
    async (request, reply) => {
      const change = { id: request.params.template_id, change: request.body };
      return await write(context, { request, reply, status: 200 }, (tx) => updateTemplate(tx, request.scope, change));
    },
  );

  api.delete(
    '/message_templates/:template_id',
    { schema: { tags, summary: 'Delete a message template', params, response: { 204: Type.Null() } } },
    async (request, reply) =>
      write(context, { request, reply, status: 204 }, (tx) =>
        deleteTemplate(tx, request.scope, request.params.template_id),
      ),
  );
};
