import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { Id, ListOf, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { requireUsNumber } from '../../../lib/phone/us-number.ts';
import { Type } from '../../../lib/type.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { cancelPortIn } from './cancel-port-in.ts';
import { checkPortability } from './check-portability.ts';
import { correctPortIn } from './correct-port-in.ts';
import { createPortIn } from './create-port-in.ts';
import { getPortIn, listPortIns } from './queries.ts';
import { NUMBERS_MAX } from './rules.ts';
import { CheckPortability, CreatePortIn, Portability, PortIn, PortInList, UpdatePortIn } from './schema.ts';
import { submitPortIn } from './submit-port-in.ts';

const params = Type.Object({ port_in_id: Id });
const tags = ['Port-ins'];
const response = { 200: PortIn };

const checkSchema = {
  tags,
  summary: 'Check whether numbers can be ported in',
  body: CheckPortability,
  response: { 200: ListOf(Portability, NUMBERS_MAX) },
};
const listSchema = { tags, summary: 'List port-ins', querystring: PortInList, response: { 200: PageOf(PortIn) } };
const createSchema = { tags, summary: 'Create a port-in', body: CreatePortIn, response: { 201: PortIn } };
const getSchema = { tags, summary: 'Get a port-in', params, response };
const correctSchema = { tags, summary: 'Correct a port-in', params, body: UpdatePortIn, response };
const submitSchema = { tags, summary: 'Submit a port-in', params, response };
const cancelSchema = { tags, summary: 'Cancel a port-in', params, response };

const checkBilling = ({ body }: { body: UpdatePortIn }, _: unknown, done: () => void) => {
  const { billing_phone_number: billing } = body;
  if (billing !== undefined) requireUsNumber('billing_phone_number', billing);
  done();
};

export const portInRoutes: RoutePlugin = (api, context) => {
  api.post('/port_ins/check', { config: { hasNoEffect: true }, schema: checkSchema }, async (request, reply) =>
    write(
      context,
      { request, reply, status: 200 },
      {
        outside: async () => {
          const { phone_numbers } = request.body;
          const verdicts = await checkPortability(context, request.scope, { phoneNumbers: phone_numbers });
          return { data: verdicts.map(({ losing_carrier: _, ...verdict }) => verdict) };
        },
      },
    ),
  );

  api.get('/port_ins', { schema: listSchema }, async ({ scope, query }) => {
    const { limit = 25, after, tenant_id, status = null } = query;
    const before = idPosition('port_ins', after);
    const tenantId = await tenantFilter(context.db, scope, tenant_id);
    const rows = await listPortIns(context.db, scope, { tenantId, status, before, rows: limit + 1 });
    return idPage('port_ins', rows, limit);
  });

  api.post('/port_ins', { schema: createSchema, preHandler: checkBilling }, async (request, reply) =>
    write(context, { request, reply, status: 201 }, createPortIn(context, request.scope, request.body)),
  );

  api.get('/port_ins/:port_in_id', { schema: getSchema }, ({ scope, params }) =>
    getPortIn(context.db, scope, params.port_in_id),
  );

  api.patch('/port_ins/:port_in_id', { schema: correctSchema, preHandler: checkBilling }, (request, reply) => {
    const correction = { id: request.params.port_in_id, change: request.body };
    return write(context, { request, reply, status: 200 }, correctPortIn(context, request.scope, correction));
  });

  api.post('/port_ins/:port_in_id/submit', { schema: submitSchema }, async (request, reply) =>
    write(context, { request, reply, status: 200 }, (tx) =>
      submitPortIn(context, tx, request.scope, request.params.port_in_id),
    ),
  );

  api.post('/port_ins/:port_in_id/cancel', { schema: cancelSchema }, async (request, reply) =>
    write(context, { request, reply, status: 200 }, cancelPortIn(context, request.scope, request.params.port_in_id)),
  );
};
