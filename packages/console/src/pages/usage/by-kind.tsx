import { formatCount, formatMicros } from '../../lib/amounts.ts';
import { texts } from '../../texts/usage.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table } from '../../ui/table.tsx';
import { costOf, KINDS, type Prices, type UsageItem } from './kinds.ts';

const t = texts.byKind;

/** The usage of the period, one row for each kind, with its cost. */
export function ByKind({ items, prices }: { items: readonly UsageItem[]; prices: Prices }) {
  if (items.length === 0) {
    return <EmptyState title={t.nothingWasUsed}>{t.textsCallsNumbers}</EmptyState>;
  }
  const rows = KINDS.flatMap((kind) => items.filter((item) => item.kind === kind));
  return (
    <Table
      label={t.usageByKind}
      rows={rows}
      rowId={({ kind }) => kind}
      columns={[
        { title: t.kind, cell: ({ kind }) => texts.kinds[kind] },
        { title: t.quantity, cell: ({ quantity }) => formatCount(quantity), align: 'end' },
        {
          title: t.priceOfOne,
          cell: ({ kind }) => formatMicros(prices.get(kind) ?? 0),
          align: 'end',
          isWideOnly: true,
        },
        { title: t.cost, cell: (item) => formatMicros(costOf([item], prices)), align: 'end' },
      ]}
      sums={[t.all, '', '', formatMicros(costOf(rows, prices))]}
    />
  );
}
