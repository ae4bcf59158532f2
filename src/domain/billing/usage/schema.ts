import { Closed, PAGE_ROWS_MAX, PageQuery, RangeQuery, TenantQuery, Timestamp } from '../../../http/schemas/schemas.ts';
import { MODES } from '../../../lib/scope.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { USAGE_KINDS } from '../kinds.ts';
import { SUMMARY_DAYS_MAX } from './rules.ts';

/** A new day may begin while the summary is made. The longest range then has one more day. */
const DAYS_MAX = SUMMARY_DAYS_MAX + 1;

export const UsageSummary = Type.Object({
  object: Type.Literal('usage_summary'),
  mode: Type.Enum(MODES),
  start: Timestamp,
  end: Timestamp,
  data: Type.Array(
    Type.Object({
      tenant_id: Type.Optional(Type.String({ description: 'Present with group_by=tenant' })),
      day: Type.Optional(Type.String({ format: 'date', description: 'A day in UTC; present with group_by=day' })),
      kind: Type.Enum(USAGE_KINDS),
      quantity: Type.Integer({
        description: 'Segments, messages, minutes, months or registrations, depending on the kind',
      }),
    }),
    {
      maxItems: DAYS_MAX * USAGE_KINDS.length,
      description:
        'One item for each kind with usage; with group_by=tenant for each tenant and kind, with group_by=day for ' +
        'each day and kind, the earliest day first',
    },
  ),
  has_more: Type.Optional(Type.Boolean({ description: 'Present with group_by=tenant' })),
  next_cursor: Type.Optional(Type.Union([Type.String(), Type.Null()], { description: 'Present with group_by=tenant' })),
});
export type UsageSummary = Static<typeof UsageSummary>;

export const UsageQuery = Closed({
  ...RangeQuery,
  ...TenantQuery,
  group_by: Type.Optional(
    Type.Enum(['tenant', 'day'], {
      description:
        'tenant: usage of each tenant, in pages, the newest tenant first. ' +
        `day: usage of each day (UTC) of the range, in one reply; at most ${SUMMARY_DAYS_MAX} days.`,
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: PAGE_ROWS_MAX,
      description: 'Tenants on a page, by default 100; with group_by=tenant only',
    }),
  ),
  after: PageQuery.after,
});
export type UsageQuery = Static<typeof UsageQuery>;
