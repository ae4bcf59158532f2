import type { UsageSummary } from '@dialplane/sdk/resources';
import { useQueries } from '@tanstack/react-query';
import { apiOf } from '../../api/client.ts';
import { ledgerKey } from '../../api/queries.ts';
import { useLedger } from '../../app/ledger.ts';
import { formatCount, formatMicros } from '../../lib/amounts.ts';
import { locale } from '../../lib/language.ts';
import { texts } from '../../texts/usage.ts';
import { Chart } from '../../ui/chart.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Card, Columns } from '../../ui/page.tsx';
import { CALL_KINDS, COST_GROUPS, costOf, type Kind, type Prices, quantityOf, TEXT_KINDS } from './kinds.ts';
import { dayOf, type Period, partsOf } from './period.ts';

const t = texts.byDay;

const PRESENT_EVERY_MS = 15_000;
/** Usage of past days changes only when a test ledger is reset. */
const PAST_STALE_MS = 300_000;

type ByDayProps = { period: Period; now: Date; tenantId: string | undefined; prices: Prices };

/** The usage of the period day by day: its cost, texts and call minutes. A long period is divided into longer parts. */
export function ByDay({ period, now, tenantId, prices }: ByDayProps) {
  const parts = partsOf(period);
  const usage = useParts(parts, dayOf(now.getTime()), tenantId);
  const error = usage.find((part) => part.error !== null)?.error;
  if (error !== undefined) return <ErrorNote error={error} />;
  const items = usage.map(({ data }) => data?.data);
  const valuesOf = (value: (part: UsageSummary['data']) => number) =>
    items.map((part) => (part === undefined ? null : value(part)));
  const quantities = (kinds: readonly Kind[]) =>
    kinds.map((kind) => ({ title: texts.kinds[kind], values: valuesOf((part) => quantityOf(part, [kind])) }));
  const chart = {
    kind: 'bars',
    times: parts.map(({ start }) => Date.parse(start) / 1000),
    formatTime: (seconds: number) => formatDay(seconds * 1000),
  } as const;
  const part = lengthOf(parts);
  return (
    <>
      <Card>
        <Chart
          {...chart}
          label={t.costBy(part)}
          formatValue={formatMicros}
          series={COST_GROUPS.map(({ name, kinds }) => ({
            title: texts.groups[name],
            values: valuesOf((items) =>
              costOf(
                items.filter(({ kind }) => kinds.includes(kind)),
                prices,
              ),
            ),
          }))}
        />
      </Card>
      <Columns>
        <Card>
          <Chart {...chart} label={t.textsBy(part)} formatValue={formatCount} series={quantities(TEXT_KINDS)} />
        </Card>
        <Card>
          <Chart {...chart} label={t.callMinutesBy(part)} formatValue={formatCount} series={quantities(CALL_KINDS)} />
        </Card>
      </Columns>
    </>
  );
}

function useParts(parts: readonly Period[], today: string, tenantId: string | undefined) {
  const ledger = useLedger();
  const api = apiOf(ledger);
  return useQueries({
    queries: parts.map(({ start, end }) => ({
      queryKey: ledgerKey(ledger, 'usage', 'part', start, end, tenantId),
      queryFn: () => api.usage.get({ start, end, ...(tenantId !== undefined && { tenant_id: tenantId }) }),
      staleTime: end <= today ? PAST_STALE_MS : 0,
      ...(start <= today && end > today && { refetchInterval: PRESENT_EVERY_MS }),
    })),
  });
}

const DAY = new Intl.DateTimeFormat(locale.tag, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const formatDay = (ms: number) => DAY.format(ms);

function lengthOf([first]: readonly Period[]): string {
  const days = first === undefined ? 1 : (Date.parse(first.end) - Date.parse(first.start)) / 86_400_000;
  return days === 1 ? t.day : t.days(days);
}
