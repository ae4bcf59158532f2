import { Pages, type UsageSummary } from '@dialplane/sdk/resources';
import { Link } from '@tanstack/react-router';
import type { Api } from '../../api/client.ts';
import { useList } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { TenantName } from '../../app/tenant-field.tsx';
import { formatCount, formatMicros } from '../../lib/amounts.ts';
import { texts } from '../../texts/usage.ts';
import { DataList } from '../../ui/data-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CALL_KINDS, costOf, type Prices, quantityOf, TEXT_KINDS } from './kinds.ts';
import type { Period } from './period.ts';

const t = texts.byTenant;

export type TenantUsage = { readonly tenantId: string; readonly items: UsageSummary['data'] };

/** Lists the usage of each tenant, page by page. */
export function listByTenant(api: Api, { start, end }: Period, page: { limit: number }): Pages<TenantUsage> {
  return new Pages(async (after) => {
    const query = {
      start,
      end,
      group_by: 'tenant',
      ...page,
      ...(after !== undefined && { after }),
    } as const;
    const { data, has_more = false, next_cursor = null } = await api.usage.get(query);
    return { data: grouped(data), has_more, next_cursor };
  });
}

/** The items of a tenant are consecutive, and on one page. */
function grouped(items: UsageSummary['data']): TenantUsage[] {
  const groups = Map.groupBy(items, ({ tenant_id = '' }) => tenant_id);
  return [...groups].map(([tenantId, its]) => ({ tenantId, items: its }));
}

/** The usage of each tenant in the period. */
export function ByTenant({ period, prices }: { period: Period; prices: Prices }) {
  const ledger = useLedger();
  const tenants = useList(['usage', 'tenants', period], (api, page) => listByTenant(api, period, page));
  return (
    <DataList
      label={t.usageByTenant}
      list={{ ...tenants, whole: undefined }}
      rowId={({ tenantId }) => tenantId}
      columns={[
        {
          title: t.tenant,
          width: '2fr',
          cell: ({ tenantId }) => (
            <Link to={ledgerPath(ledger, `tenants/${tenantId}`)}>
              <TenantName id={tenantId} />
            </Link>
          ),
        },
        { title: t.texts, cell: ({ items }) => formatCount(quantityOf(items, TEXT_KINDS)), align: 'end' },
        { title: t.callMinutes, cell: ({ items }) => formatCount(quantityOf(items, CALL_KINDS)), align: 'end' },
        { title: t.numbers, cell: ({ items }) => formatCount(quantityOf(items, ['number_month'])), align: 'end' },
        { title: t.cost, cell: ({ items }) => formatMicros(costOf(items, prices)), align: 'end' },
      ]}
      empty={<EmptyState title={t.noTenantUsed}>{t.tenantAppearsHere}</EmptyState>}
    />
  );
}
