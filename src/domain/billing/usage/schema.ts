import { type Static, Type } from 'typebox';
import { Closed, RangeQuery, TenantQuery, Timestamp } from '../../../http/schemas/schemas.ts';
import { MODES } from '../../../lib/scope.ts';
import { USAGE_KINDS } from '../kinds.ts';

export const UsageSummary = Type.Object({
  object: Type.Literal('usage_summary'),
  mode: Type.Enum(MODES),
  start: Timestamp,
  end: Timestamp,
  data: Type.Array(
    Type.Object({
      kind: Type.Enum(USAGE_KINDS),
      quantity: Type.Integer({
        description: 'Segments, messages, minutes, months or registrations, depending on the kind',
      }),
    }),
    { description: 'One item for each kind with usage' },
  ),
});
export type UsageSummary = Static<typeof UsageSummary>;

export const UsageQuery = Closed({ ...RangeQuery, ...TenantQuery });
export type UsageQuery = Static<typeof UsageQuery>;
