import type { RoutePlugin } from '../../../http/edge/types.ts';
import { readCursor, toPage } from '../../../http/schemas/pagination.ts';
import { PageOf } from '../../../http/schemas/schemas.ts';
import { tenantFilter } from '../../tenants/index.ts';
import { listSipPhones } from './list-telephones.ts';
import { SipPhone, SipPhoneList } from './schema.ts';

const LIST = 'sip_phones';

const listSchema = {
  tags: ['SIP phones'],
  summary: 'List SIP phones',
  querystring: SipPhoneList,
  response: { 200: PageOf(SipPhone) },
};

/** The telephones that register at SIP engines. Operators create them. */
export const sipPhoneRoutes: RoutePlugin = (api, context) => {
  api.get('/sip_phones', { schema: listSchema }, async ({ scope, query: { limit = 25, after: cursor, tenant_id } }) => {
    const after = readCursor(LIST, 2, cursor);
    const tenantId = await tenantFilter(context.db, scope, tenant_id);
    const rows = await listSipPhones(context, scope, { tenantId, after, rows: limit + 1 });
    return toPage(LIST, rows, limit, (phone) => [phone.tenant_id, phone.name]);
  });
};
