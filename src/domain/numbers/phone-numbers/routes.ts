import type { RoutePlugin } from '../../../http/edge/types.ts';
import { idPage, idPosition } from '../../../http/schemas/pagination.ts';
import { Id, ListOf, PAGE_ROWS_MAX, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { attachCampaign } from '../campaign-assignments/attach-campaign.ts';
import { checkPurchase, purchaseNumber } from './purchase-number.ts';
import { getPhoneNumber, listNumbers } from './queries.ts';
import type { NumberReferences } from './references.ts';
import { releaseNumber } from './release-number.ts';
import { AvailableNumber, NumberList, PhoneNumber, PurchaseNumber, SearchNumbers, UpdateNumber } from './schema.ts';
import { searchNumbers } from './search-numbers.ts';
import { updateNumber } from './update-number.ts';

const params = Type.Object({ number_id: Id });
const tags = ['Phone numbers'];

const searchSchema = {
  tags,
  summary: 'Search available numbers',
  querystring: SearchNumbers,
  response: { 200: ListOf(AvailableNumber, PAGE_ROWS_MAX) },
};
const listSchema = { tags, summary: 'List numbers', querystring: NumberList, response: { 200: PageOf(PhoneNumber) } };
const purchaseSchema = { tags, summary: 'Purchase a number', body: PurchaseNumber, response: { 201: PhoneNumber } };
const getSchema = { tags, summary: 'Get a number', params, response: { 200: PhoneNumber } };
const updateSchema = { tags, summary: 'Update a number', params, body: UpdateNumber, response: { 200: PhoneNumber } };
const releaseSchema = { tags, summary: 'Release a number', params, response: { 200: PhoneNumber } };

/** Returns the routes of phone numbers. `references` finds the resources that their fields name. */
export function phoneNumberRoutes(references: NumberReferences): RoutePlugin {
  return (api, context) => {
    api.get('/phone_numbers/available', { schema: searchSchema }, async ({ scope, query }) => ({
      data: await searchNumbers(context, scope, query),
    }));

    api.get('/phone_numbers', { schema: listSchema }, async ({ scope, query }) => {
      const { limit = 25, after, tenant_id } = query;
      const before = idPosition('phone_numbers', after);
      const tenantId = await tenantFilter(context.db, scope, tenant_id);
      const rows = await listNumbers(context.db, scope, { tenantId, before, rows: limit + 1 });
      return idPage('phone_numbers', rows, limit);
    });

    const preHandler = async ({ body }: { body: PurchaseNumber }) => checkPurchase(body);
    api.post('/phone_numbers', { schema: purchaseSchema, preHandler }, (request, reply) => {
      const purchase = { scope: request.scope, wanted: request.body, references };
      return write(context, { request, reply, status: 201 }, purchaseNumber(context, purchase));
    });

    api.get('/phone_numbers/:number_id', { schema: getSchema }, ({ scope, params }) =>
      getPhoneNumber(context.db, scope, params.number_id),
    );

    api.patch('/phone_numbers/:number_id', { schema: updateSchema }, async (request, reply) => {
      const { scope, params, body } = request;
      const exchange = { request, reply, status: 200 } as const;
      const change = { id: params.number_id, change: body, references };
      // Only a campaign needs a request to the carrier before it is stored.
      if (body.campaign_id == null) return await write(context, exchange, (tx) => updateNumber(tx, scope, change));
      return await write(context, exchange, attachCampaign(context, scope, change));
    });

    api.delete('/phone_numbers/:number_id', { schema: releaseSchema }, async (request, reply) =>
      write(context, { request, reply, status: 200 }, (tx) =>
        releaseNumber(tx, request.scope, request.params.number_id),
      ),
    );
  };
}
