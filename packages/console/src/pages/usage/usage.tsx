import type { Price } from '@dialplane/sdk/resources';
import { useRead } from '../../api/queries.ts';
import { Loading } from '../../app/failure.tsx';
import { type Filters, useFilters } from '../../app/filters.ts';
import { useLedger } from '../../app/ledger.ts';
import { TenantFilter } from '../../app/tenant-filter.tsx';
import { formatUsd } from '../../lib/amounts.ts';
import { useNow } from '../../lib/now.ts';
import { texts } from '../../texts/usage.ts';
import { words } from '../../ui/badge.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Select, TextField } from '../../ui/field.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { WhenSeen } from '../../ui/when-seen.tsx';
import { Balance } from './balance.tsx';
import { ByDay } from './by-day.tsx';
import { ByKind } from './by-kind.tsx';
import { ByTenant } from './by-tenant.tsx';
import { DownloadUsage } from './download.tsx';
import { type Prices, pricesOf, sumByKind } from './kinds.ts';
import { dayOf, lastDay, PERIODS, type Period, periodName, periodOf } from './period.ts';
import css from './usage.module.css';

const t = texts.usage;

const PRESENT_EVERY_MS = 15_000;

/** The usage and its cost, the balance and the prices. */
export function UsagePage() {
  const { mode } = useLedger();
  const [filters, setFilters] = useFilters();
  const now = useNow();
  const { data, error } = useRead(['prices'], (api) => api.usage.listPrices());
  if (error !== null) {
    return (
      <Page title={t.usageAndCost}>
        <ErrorNote error={error} />
      </Page>
    );
  }
  if (now === undefined || data === undefined) return <Loading />;
  const prices = pricesOf(data.data);
  return (
    <Page title={t.usageAndCost} about={mode === 'test' ? t.everythingCostsMoney : t.everythingCostsMoneyCounted}>
      <Tabs
        label={t.usageAndCost}
        selected={filters['show'] ?? 'usage'}
        onSelect={(show) => setFilters({ show: show === 'usage' ? undefined : show })}
        tabs={[
          { id: 'usage', title: t.usage, content: <Usage filters={filters} now={now} prices={prices} /> },
          { id: 'balance', title: t.balance, content: <Balance /> },
          { id: 'prices', title: t.prices, content: <PriceTable prices={data.data} /> },
        ]}
      />
    </Page>
  );
}

function Usage({ filters, now, prices }: { filters: Filters; now: Date; prices: Prices }) {
  const period = periodOf(filters, now);
  const tenantId = filters['tenant_id'];
  const query = { ...period, group_by: 'day', ...(tenantId !== undefined && { tenant_id: tenantId }) } as const;
  const isPresent = period.end > dayOf(now.getTime());
  const usage = useRead(['usage', query], (api) => api.usage.get(query), {
    ...(isPresent && { everyMs: PRESENT_EVERY_MS }),
  });
  return (
    <>
      <Choices period={period} />
      <ErrorNote error={usage.error} />
      {usage.error === null && <ByDay period={period} items={usage.data?.data} prices={prices} />}
      {usage.data !== undefined && (
        <Section title={t.byKind}>
          <ByKind items={sumByKind(usage.data.data)} prices={prices} />
        </Section>
      )}
      {usage.data !== undefined && tenantId === undefined && (
        <Section title={t.byTenant} actions={<DownloadUsage period={period} prices={prices} />}>
          <WhenSeen>
            <ByTenant period={period} prices={prices} />
          </WhenSeen>
        </Section>
      )}
    </>
  );
}

/** The period and the tenant. Both are in the page's address. */
function Choices({ period }: { period: Period }) {
  const [filters, setFilters] = useFilters();
  const name = periodName(filters);
  return (
    <FilterBar>
      <Select
        label={t.period}
        options={PERIODS.map((id) => ({ id, text: texts.periods[id] }))}
        value={name}
        onChange={(id) =>
          setFilters(
            id === 'custom'
              ? { period: id, start: period.start, end: lastDay(period) }
              : { period: id === 'month' ? undefined : id, start: undefined, end: undefined },
          )
        }
      />
      {name === 'custom' && (
        <>
          <TextField
            label={t.from}
            type="date"
            value={period.start}
            onChange={(start) => start !== '' && setFilters({ start })}
          />
          <TextField
            label={t.to}
            type="date"
            value={lastDay(period)}
            onChange={(end) => end !== '' && setFilters({ end })}
          />
        </>
      )}
      <TenantFilter />
      <p className={css.note}>{t.daysBeginMidnight}</p>
    </FilterBar>
  );
}

/** The price of one unit of each kind. */
function PriceTable({ prices }: { prices: readonly Price[] }) {
  return (
    <>
      <p>{texts.prices.operatorInstallationSets}</p>
      <Table
        label={texts.prices.prices}
        rows={prices}
        rowId={({ kind }) => kind}
        columns={[
          { title: texts.prices.kind, cell: ({ kind }) => texts.kinds[kind] ?? kind },
          { title: texts.prices.unit, cell: ({ unit }) => words(unit) },
          { title: texts.prices.price, cell: ({ amount_usd }) => formatUsd(amount_usd), align: 'end' },
        ]}
      />
    </>
  );
}
