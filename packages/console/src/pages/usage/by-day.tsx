import type { UsageSummary } from '@dialplane/sdk/resources';
import { formatCount, formatMicros } from '../../lib/amounts.ts';
import { locale } from '../../lib/language.ts';
import { texts } from '../../texts/usage.ts';
import { Chart } from '../../ui/chart.tsx';
import { Card, Columns } from '../../ui/page.tsx';
import { CALL_KINDS, COST_GROUPS, costOf, type Kind, type Prices, quantityOf, TEXT_KINDS } from './kinds.ts';
import { type Period, partsOf } from './period.ts';

const t = texts.byDay;

type Items = UsageSummary['data'];
type ByDayProps = {
  period: Period;
  /** The usage by day; undefined until it is read. */
  items: Items | undefined;
  prices: Prices;
};

/** The usage of the period day by day: its cost, texts and call minutes. A long period is divided into longer parts. */
export function ByDay({ period, items, prices }: ByDayProps) {
  const parts = partsOf(period);
  const itemsOfParts = parts.map(({ start, end }) => items?.filter(({ day = '' }) => day >= start && day < end));
  const valuesOf = (value: (part: Items) => number) =>
    itemsOfParts.map((part) => (part === undefined ? null : value(part)));
  const quantities = (kinds: readonly Kind[]) =>
    kinds.map((kind) => ({ title: texts.kinds[kind], values: valuesOf((part) => quantityOf(part, [kind])) }));
  const chart = {
    times: parts.map(({ start }) => Date.parse(start) / 1000),
    formatTime: (seconds: number) => formatDay(seconds * 1000),
  };
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
            values: valuesOf((its) =>
              costOf(
                its.filter(({ kind }) => kinds.includes(kind)),
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

const DAY = new Intl.DateTimeFormat(locale.tag, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const formatDay = (ms: number) => DAY.format(ms);

function lengthOf([first]: readonly Period[]): string {
  const days = first === undefined ? 1 : (Date.parse(first.end) - Date.parse(first.start)) / 86_400_000;
  return days === 1 ? t.day : t.days(days);
}
