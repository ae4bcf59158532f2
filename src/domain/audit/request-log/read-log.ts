import type { Context } from '../../../context.ts';
import type { Db } from '../../../db/database.ts';
import {
  momentPage,
  notACursor,
  type Page,
  type Range,
  readMomentCursor,
  readRange,
} from '../../../http/schemas/pagination.ts';
import { isId } from '../../../lib/ids.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { findRequest, findRequestPosition, listRequests } from './queries.ts';
import { keptSince, type RetentionContext } from './retention.ts';
import type { RequestLogEntry, RequestLogList } from './schema.ts';

/**
 * Limits a list to the rows that a key may see. The caller passes it in, because this module does not import tenants.
 */
export type TenantFilter = (db: Db, scope: Scope, tenantId: string | undefined) => Promise<string | null>;

type LogContext = RetentionContext & Pick<Context, 'db'>;

const LISTS = { desc: 'request_log', asc: 'request_log:asc' } as const;

/**
 * Returns a page of requests, newest first or, with order `asc`, in the order of their writing. `after` may also be the
 * id of a request. Errors: invalid_start, invalid_end, invalid_range, invalid_cursor, tenant_not_found,
 * tenant_restricted_key.
 */
export async function listLog(
  context: LogContext,
  scope: Scope,
  query: RequestLogList,
  tenantFilter: TenantFilter,
): Promise<Page<RequestLogEntry>> {
  const { order = 'desc', limit = 25, method = '', route = '', status = '', error_code: errorCode = '' } = query;
  const { resource_id: resourceId = null } = query;
  const range = withinRetention(readRange(query), keptSince(context));
  const tenantId = await tenantFilter(context.db, scope, query.tenant_id);
  const after = await readAfter(context.db, scope, LISTS[order], query.after);
  // `4xx` as a pattern of SQL's `like`.
  const filter = { tenantId, resourceId, method, route, status: status.replace('xx', '__'), errorCode, range };
  const rows = await listRequests(order, context.db, scope, { ...filter, after, rows: limit + 1 });
  return momentPage(LISTS[order], rows, limit);
}

function withinRetention({ start, end }: Range, since: Date): Range {
  return { start: start === null || start < since ? since : start, end };
}

async function readAfter(db: Db, scope: Scope, list: string, after: string | undefined) {
  if (after === undefined || !isId('request', after)) return readMomentCursor(list, 2, after);
  const found = await findRequestPosition(db, scope, after);
  if (found === undefined || (scope.tenantId !== null && found.tenantId !== scope.tenantId)) throw notACursor();
  return found.position;
}

/**
 * Returns the request if the key may see it; for keys of one tenant, requests of the account do not exist.
 * Errors: request_not_found, tenant_restricted_key.
 */
export async function getLogEntry(context: LogContext, scope: Scope, id: string): Promise<RequestLogEntry> {
  const entry = await findRequest(context.db, scope, { id, keptSince: keptSince(context) });
  const isHidden = scope.tenantId !== null && entry?.tenant_id === null;
  return visible(scope, isHidden ? undefined : entry, 'request_not_found');
}
