import type { RoutePlugin } from '../../../http/edge/types.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { Type } from '../../../lib/type.ts';
import { getLogEntry, listLog, type TenantFilter } from './read-log.ts';
import type { RequestRecorder } from './recorder.ts';
import { RequestLogEntry, RequestLogList } from './schema.ts';

const tags = ['Request log'];
const params = Type.Object({ request_id: { ...Id, description: 'The id of the request.' } });
const list = {
  tags,
  summary: 'List requests',
  querystring: RequestLogList,
  response: { 200: PageOf(RequestLogEntry) },
};
const get = { tags, summary: 'Get a request', params, response: { 200: RequestLogEntry } };
const config = { unlogged: true } as const;

type LogParts = { readonly recorder: Pick<RequestRecorder, 'flush'>; readonly tenantFilter: TenantFilter };

/** Returns the routes of the request log. A read first writes the requests that its process holds. */
export function requestLogRoutes({ recorder, tenantFilter }: LogParts): RoutePlugin {
  return (api, context) => {
    api.get('/request_log', { config, schema: list }, async ({ scope, query }) => {
      await recorder.flush();
      return await listLog(context, scope, query, tenantFilter);
    });

    api.get('/request_log/:request_id', { config, schema: get }, async ({ scope, params }) => {
      await recorder.flush();
      return await getLogEntry(context, scope, params.request_id);
    });
  };
}
