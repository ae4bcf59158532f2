import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { createAddress } from './create-address.ts';
import { deleteAddress } from './delete-address.ts';
import { getAddress, listAddresses } from './queries.ts';
import { CreateE911Address, E911Address, E911AddressList } from './schema.ts';

const params = Type.Object({ e911_address_id: { ...Id, description: 'The id of the address.' } });
const tags = ['E911 addresses'];

const listSchema = {
  tags,
  summary: 'List emergency addresses',
  querystring: E911AddressList,
  response: { 200: PageOf(E911Address) },
};
const createSchema = {
  tags,
  summary: 'Create an emergency address',
  body: CreateE911Address,
  response: { 201: E911Address },
};
const getSchema = { tags, summary: 'Get an emergency address', params, response: { 200: E911Address } };
const deleteSchema = { tags, summary: 'Delete an emergency address', params, response: { 204: Type.Null() } };

export const e911AddressRoutes: RoutePlugin = (api, context) => {
  api.get('/e911_addresses', { schema: listSchema }, async ({ scope, query }) => {
    const { limit = 25, after, tenant_id } = query;
    const before = idPosition('e911_addresses', after);
    const tenantId = await tenantFilter(context.db, scope, tenant_id);
    const rows = await listAddresses(context.db, scope, { tenantId, before, rows: limit + 1 });
    return idPage('e911_addresses', rows, limit);
  });

  api.post('/e911_addresses', { schema: createSchema }, async (request, reply) =>
    write(context, { request, reply, status: 201 }, createAddress(context, request.scope, request.body)),
  );

  api.get('/e911_addresses/:e911_address_id', { schema: getSchema }, ({ scope, params }) =>
    getAddress(context.db, scope, params.e911_address_id),
  );

  api.delete('/e911_addresses/:e911_address_id', { schema: deleteSchema }, async (request, reply) =>
    write(context, { request, reply, status: 204 }, (tx) =>
      deleteAddress(tx, request.scope, request.params.e911_address_id),
    ),
  );
};
