import { Closed, PAGE_ROWS_MAX, PageQuery, RangeQuery, TenantQuery, Timestamp } from '../../../http/schemas/schemas.ts';
import { MODES } from '../../../lib/scope.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { USAGE_KINDS } from '../kinds.ts';

export const UsageSummary = Type.Object({
  object: Type.Literal('usage_summary'),
  mode: Type.Enum(MODES),
  start: Timestamp,
  end: Timestamp,
  data: Type.Array(
    Type.Object({
      tenant_id: Type.Optional(Type.String({ description: 'Present with group_by=tenant' })),
      kind: Type.Enum(USAGE_KINDS),
      quantity: Type.Integer({
        description: 'Segments, messages, minutes, months or registrations, depending on the kind',
      }),
    }),
    {
      maxItems: PAGE_ROWS_MAX * USAGE_KINDS.length,
      description: 'One item for each kind with usage; with group_by=tenant for each tenant and kind',
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
    Type.Enum(['tenant'], { description: 'tenant: usage of each tenant, in pages, the newest tenant first' }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: PAGE_ROWS_MAX,
      description: 'Tenants on a page, by default 100; with group_by only',
    }),
  ),
  after: PageQuery.after,
});
export type UsageQuery = Static<typeof UsageQuery>;
