import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { checkAddresses, createForm } from './create-form.ts';
import { deleteForm } from './delete-form.ts';
import { getForm, getFormForEvidence, withUrl } from './get-form.ts';
import { listForms, listSubmissions } from './queries.ts';
import {
  CreateOptInForm,
  OptInForm,
  OptInFormList,
  OptInSubmission,
  OptInSubmissionList,
  UpdateOptInForm,
} from './schema.ts';
import { updateForm } from './update-form.ts';

const params = Type.Object({ opt_in_form_id: Id });
const tags = ['Opt-in forms'];

const createSchema = { tags, summary: 'Create an opt-in form', body: CreateOptInForm, response: { 201: OptInForm } };
const updateSchema = {
  tags,
  summary: 'Change an opt-in form',
  params,
  body: UpdateOptInForm,
  response: { 200: OptInForm },
};

export const optInFormRoutes: RoutePlugin = (api, context) => {
  const list = { querystring: OptInFormList, response: { 200: PageOf(OptInForm) } };
  api.get(
    '/opt_in_forms',
    { schema: { tags, summary: 'List opt-in forms', ...list } },
    async ({ scope, query: { limit = 25, after, tenant_id } }) => {
      const before = idPosition('opt_in_forms', after);
      const tenantId = await tenantFilter(context.db, scope, tenant_id);
      const rows = await listForms(context.db, scope, { tenantId, before, rows: limit + 1 });
      return idPage(
        'opt_in_forms',
        rows.map((row) => withUrl(context, row)),
        limit,
      );
    },
  );

  const preHandler = async ({ body }: { body: UpdateOptInForm }) => checkAddresses(body);
  api.post('/opt_in_forms', { schema: createSchema, preHandler }, async (request, reply) =>
    write(context, { request, reply, status: 201 }, (tx) => createForm(context, tx, request.scope, request.body)),
  );

  api.patch('/opt_in_forms/:opt_in_form_id', { schema: updateSchema, preHandler }, async (request, reply) => {
    const change = { id: request.params.opt_in_form_id, change: request.body };
    return await write(context, { request, reply, status: 200 }, (tx) =>
      updateForm(context, tx, request.scope, change),
    );
  });

  api.get(
    '/opt_in_forms/:opt_in_form_id',
    { schema: { tags, summary: 'Get an opt-in form', params, response: { 200: OptInForm } } },
    ({ scope, params }) => getForm(context, context.db, scope, params.opt_in_form_id),
  );

  api.delete(
    '/opt_in_forms/:opt_in_form_id',
    { schema: { tags, summary: 'Delete an opt-in form', params, response: { 204: Type.Null() } } },
    async (request, reply) =>
      write(context, { request, reply, status: 204 }, (tx) =>
        deleteForm(tx, request.scope, request.params.opt_in_form_id),
      ),
  );

  const submissions = { params, querystring: OptInSubmissionList, response: { 200: PageOf(OptInSubmission) } };
  api.get(
    '/opt_in_forms/:opt_in_form_id/submissions',
    { schema: { tags, summary: 'List what was submitted on an opt-in form', ...submissions } },
    async ({ scope, params, query: { limit = 25, after, phone_number = null } }) => {
      const list = `opt_in_submissions:${params.opt_in_form_id}`;
      const before = idPosition(list, after);
      const { id: formId } = await getFormForEvidence(context.db, scope, params.opt_in_form_id);
      const wanted = { formId, phoneNumber: phone_number, before, rows: limit + 1 };
      return idPage(list, await listSubmissions(context.db, scope, wanted), limit);
    },
  );
};
