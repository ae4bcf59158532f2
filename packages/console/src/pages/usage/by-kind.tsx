import { formatCount, formatMicros } from '../../lib/amounts.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table } from '../../ui/table.tsx';
import { costOf, KIND_TITLES, KINDS, type Prices, type UsageItem } from './kinds.ts';

/** The usage of the period, one row for each kind, with its cost. */
export function ByKind({ items, prices }: { items: readonly UsageItem[]; prices: Prices }) {
  if (items.length === 0) {
    return (
      <EmptyState title="Nothing was used in this period">
        Texts, calls, numbers and registrations are counted as they happen. Choose a longer period, or send a text.
      </EmptyState>
    );
  }
  const rows = KINDS.flatMap((kind) => items.filter((item) => item.kind === kind));
  return (
    <Table
      label="Usage by kind"
      rows={rows}
      rowId={({ kind }) => kind}
      columns={[
        { title: 'Kind', cell: ({ kind }) => KIND_TITLES[kind] },
        { title: 'Quantity', cell: ({ quantity }) => formatCount(quantity), align: 'end' },
        { title: 'Price of one', cell: ({ kind }) => formatMicros(prices.get(kind) ?? 0), align: 'end' },
        { title: 'Cost', cell: (item) => formatMicros(costOf([item], prices)), align: 'end' },
      ]}
      sums={['All', '', '', formatMicros(costOf(rows, prices))]}
    />
  );
}
