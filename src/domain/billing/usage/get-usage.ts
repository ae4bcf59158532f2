import type { Db } from '../../../db/database.ts';
import { idPosition, readRange, toPage } from '../../../http/schemas/pagination.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Scope } from '../../../lib/scope.ts';
import {
  readUsageTimes,
  sumUsage,
  sumUsageByDay,
  sumUsageByTenant,
  type UsageRange,
  type UsageSum,
} from './queries.ts';
import { inOrder, inOrderOfDays, isTooLong, resolveRange, SUMMARY_DAYS_MAX, splitRange } from './rules.ts';
import type { UsageQuery, UsageSummary } from './schema.ts';

/** The name of the list of tenants, in its cursors. */
const BY_TENANT = 'usage:tenant';
const TENANTS_MAX = 100;

/** Restricts the summary to the tenants that a key may read. The tenants module provides it. */
export type TenantFilter = (db: Db, scope: Scope, tenantId: string | undefined) => Promise<string | null>;

/**
 * Returns the usage over [start, end), by kind, or by tenant or day and kind. `end` is now by default, `start` the
 * beginning of the month (UTC). Errors: invalid_start, invalid_end, invalid_range (also by day: too many days),
 * tenant_not_found, tenant_restricted_key, invalid_body (a page without tenants).
 */
export async function getUsage(
  db: Db,
  scope: Scope,
  query: UsageQuery,
  tenantFilter: TenantFilter,
): Promise<UsageSummary> {
  checkPaging(query);
  const asked = readRange(query);
  const tenantId = await tenantFilter(db, scope, query.tenant_id);
  const times = await readUsageTimes(db, scope.ledgerId);
  const range = resolveRange(asked, times.now);
  if (range === undefined) throw new ApiError('invalid_range', { param: 'start' });
  if (query.group_by === 'day' && isTooLong(range, times.now)) throw tooLong();
  return {
    object: 'usage_summary',
    mode: scope.mode,
    start: range.start,
    end: range.end ?? times.now,
    ...(await readSums(db, scope, query, { tenantId, range: splitRange(range, times) })),
  };
}

type Wanted = { readonly tenantId: string | null; readonly range: UsageRange };
type Sums = Pick<UsageSummary, 'data' | 'has_more' | 'next_cursor'>;

async function readSums(db: Db, scope: Scope, query: UsageQuery, { tenantId, range }: Wanted): Promise<Sums> {
  if (query.group_by === 'day') {
    const sums = await sumUsageByDay(db, scope.ledgerId, { tenantId, range });
    return { data: inOrderOfDays(sums).map((sum) => ({ day: sum.day, ...toItem(sum) })) };
  }
  const before = idPosition(BY_TENANT, query.after);
  if (query.group_by !== undefined && tenantId === null) {
    return readPage(db, scope, { range, before, limit: query.limit ?? TENANTS_MAX });
  }
  const sums = inOrder(await sumUsage(db, scope.ledgerId, { tenantId, range })).map(toItem);
  if (query.group_by === undefined || tenantId === null) return { data: sums };
  return { data: sums.map((item) => ({ tenant_id: tenantId, ...item })), has_more: false, next_cursor: null };
}

/** Reads a page of tenants. A tenant without usage has no items, but counts towards the page. */
async function readPage(
  db: Db,
  scope: Scope,
  { range, before, limit }: { range: UsageRange; before: string | null; limit: number },
): Promise<Sums> {
  const groups = await sumUsageByTenant(db, scope.ledgerId, { range, before, rows: limit + 1 });
  const page = toPage(BY_TENANT, groups, limit, ({ tenantId }) => [tenantId]);
  const data = page.data.flatMap(({ tenantId, sums }) =>
    inOrder(sums).map((sum) => ({ tenant_id: tenantId, ...toItem(sum) })),
  );
  return { ...page, data };
}

function toItem({ kind, quantity }: UsageSum) {
  return { kind, quantity: Number(quantity) };
}

function tooLong(): ApiError {
  return new ApiError('invalid_range', {
    param: 'start',
    message: `With "group_by=day" the range has at most ${SUMMARY_DAYS_MAX} days.`,
  });
}

/** Refuses the paging fields if the summary has no pages. */
function checkPaging({ group_by, limit, after }: UsageQuery): void {
  const param = limit !== undefined ? 'limit' : after !== undefined ? 'after' : undefined;
  if (group_by === 'tenant' || param === undefined) return;
  throw new ApiError('invalid_body', { param, message: `"${param}" needs "group_by=tenant".` });
}
