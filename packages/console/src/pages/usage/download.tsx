import type { Pages } from '@dialplane/sdk/resources';
import { Download } from 'lucide-react';
import { type Api, apiOf } from '../../api/client.ts';
import { rowsOfPages } from '../../api/queries.ts';
import { useLedger } from '../../app/ledger.ts';
import { formatCount } from '../../lib/amounts.ts';
import type { CsvCell } from '../../lib/csv.ts';
import { texts } from '../../texts/usage.ts';
import { Button } from '../../ui/button.tsx';
import { useCsvDownload } from '../../ui/csv-download.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import { listByTenant } from './by-tenant.tsx';
import { costOf, type Prices } from './kinds.ts';
import { lastDay, type Period } from './period.ts';

const t = texts.download;

const ROWS_MAX = 50_000;
const PAGE_ROWS = 100;
const MICROS_PER_USD = 1_000_000;

/** Downloads the usage of the period, with one row for each tenant and kind. */
export function DownloadUsage({ period, prices }: { period: Period; prices: Prices }) {
  return (
    <DownloadCsv
      name={`usage-${period.start}-${lastDay(period)}.csv`}
      titles={['from', 'to', 'tenant_id', 'kind', 'quantity', 'cost_usd']}
      list={(api) => listByTenant(api, period, { limit: PAGE_ROWS })}
      rowsOf={({ tenantId, items }) =>
        items.map((item) => [
          period.start,
          lastDay(period),
          tenantId,
          item.kind,
          item.quantity,
          costOf([item], prices) / MICROS_PER_USD,
        ])
      }
    />
  );
}

/** Downloads the credits and charges of the balance, the newest first. */
export function DownloadEntries() {
  return (
    <DownloadCsv
      name="balance-entries.csv"
      titles={['created_at', 'kind', 'reference', 'description', 'amount_usd', 'balance_after_usd']}
      list={(api) => api.balance.listEntries({ limit: PAGE_ROWS })}
      rowsOf={(entry) => [
        [entry.created_at, entry.kind, entry.reference, entry.description, entry.amount_usd, entry.balance_after_usd],
      ]}
    />
  );
}

type DownloadProps<T> = {
  name: string;
  titles: readonly string[];
  list: (api: Api) => Pages<T>;
  rowsOf: (item: T) => CsvCell[][];
};

/** A button that downloads a list as a CSV file. */
function DownloadCsv<T>({ name, titles, list, rowsOf }: DownloadProps<T>) {
  const api = apiOf(useLedger());
  const { count, error, start } = useCsvDownload<T>({
    ...{ name, rowsMax: ROWS_MAX },
    read: () => rowsOfPages(list(api)),
    tableOf: (items) => ({ titles, rows: items.flatMap(rowsOf) }),
  });
  return (
    <>
      <Button onPress={start} isPending={count !== undefined}>
        <Download aria-hidden />
        {count === undefined ? t.downloadCsv : t.rowsRead(formatCount(count))}
      </Button>
      <ErrorNote error={error} />
    </>
  );
}
