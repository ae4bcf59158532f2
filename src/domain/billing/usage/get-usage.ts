import type { Db } from '../../../db/database.ts';
import { readRange } from '../../../http/schemas/pagination.ts';
import { ApiError } from '../../../lib/errors.ts';
import type { Scope } from '../../../lib/scope.ts';
import { readUsageTimes, sumUsage } from './queries.ts';
import { inOrder, resolveRange, splitRange } from './rules.ts';
import type { UsageQuery, UsageSummary } from './schema.ts';

/** Restricts the summary to the tenants that a key may read. The tenants module provides it. */
export type TenantFilter = (db: Db, scope: Scope, tenantId: string | undefined) => Promise<string | null>;

/**
 * Returns the usage over [start, end), by kind. `end` is now by default, `start` the beginning of the month (UTC).
 * Errors: invalid_start, invalid_end, invalid_range, tenant_not_found, tenant_restricted_key.
 */
export async function getUsage(
  db: Db,
  scope: Scope,
  query: UsageQuery,
  tenantFilter: TenantFilter,
): Promise<UsageSummary> {
  const asked = readRange(query);
  const tenantId = await tenantFilter(db, scope, query.tenant_id);
  const times = await readUsageTimes(db, scope.ledgerId);
  const range = resolveRange(asked, times.now);
  if (range === undefined) throw new ApiError('invalid_range', { param: 'start' });
  const sums = await sumUsage(db, scope.ledgerId, { tenantId, range: splitRange(range, times) });
  return {
    object: 'usage_summary',
    mode: scope.mode,
    start: range.start,
    end: range.end ?? times.now,
    data: inOrder(sums).map(({ kind, quantity }) => ({ kind, quantity: Number(quantity) })),
  };
}
