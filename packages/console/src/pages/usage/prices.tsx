import type { Price } from '@dialplane/sdk/resources';
import { formatUsd } from '../../lib/amounts.ts';
import { texts } from '../../texts/usage.ts';
import { words } from '../../ui/badge.tsx';
import { Table } from '../../ui/table.tsx';

const t = texts.prices;

/** The price of one unit of each kind. */
export function PriceTable({ prices }: { prices: readonly Price[] }) {
  return (
    <>
      <p>{t.operatorInstallationSets}</p>
      <Table
        label={t.prices}
        rows={prices}
        rowId={({ kind }) => kind}
        columns={[
          { title: t.kind, cell: ({ kind }) => texts.kinds[kind] ?? kind },
          { title: t.unit, cell: ({ unit }) => words(unit) },
          { title: t.price, cell: ({ amount_usd }) => formatUsd(amount_usd), align: 'end' },
        ]}
      />
    </>
  );
}
