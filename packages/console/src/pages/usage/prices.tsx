import type { Price } from '@dialplane/sdk/resources';
import { formatUsd } from '../../lib/amounts.ts';
import { Table } from '../../ui/table.tsx';
import { KIND_TITLES } from './kinds.ts';

/** The price of one unit of each kind. */
export function PriceTable({ prices }: { prices: readonly Price[] }) {
  return (
    <>
      <p>The operator of the installation sets these prices. Carrier fees are included.</p>
      <Table
        label="Prices"
        rows={prices}
        rowId={({ kind }) => kind}
        columns={[
          { title: 'Kind', cell: ({ kind }) => KIND_TITLES[kind] ?? kind },
          { title: 'Unit', cell: ({ unit }) => unit },
          { title: 'Price', cell: ({ amount_usd }) => formatUsd(amount_usd), align: 'end' },
        ]}
      />
    </>
  );
}
