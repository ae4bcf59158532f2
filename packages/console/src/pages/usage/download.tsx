import type { Pages } from '@dialplane/sdk/resources';
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type Api, apiOf } from '../../api/client.ts';
import { useLedger } from '../../app/ledger.ts';
import { formatCount } from '../../lib/amounts.ts';
import { type CsvCell, csvOf } from '../../lib/csv.ts';
import { downloadText } from '../../lib/download.ts';
import { texts } from '../../texts/usage.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { say } from '../../ui/toast.tsx';
import { listByTenant } from './by-tenant.tsx';
import { costOf, type Prices } from './kinds.ts';
import { lastDay, type Period } from './period.ts';

const t = texts.download;

const ROWS_MAX = 50_000;
const PAGE_ROWS = 100;
const MICROS_PER_USD = 1_000_000;

/** Downloads the usage of the period, one row for each tenant and kind. */
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

/** Reads a list page by page, and hands it to the person as a CSV file. */
function DownloadCsv<T>({ name, titles, list, rowsOf }: DownloadProps<T>) {
  const api = apiOf(useLedger());
  const [count, setCount] = useState<number>();
  const [error, setError] = useState<unknown>();
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  const read = async () => {
    const rows: CsvCell[][] = [];
    for await (const page of list(api).pages()) {
      for (const item of page.data) rows.push(...rowsOf(item));
      if (isLeft.current) return;
      setCount(rows.length);
      if (rows.length >= ROWS_MAX) break;
    }
    downloadText(name, csvOf(titles, rows.slice(0, ROWS_MAX)), 'text/csv');
    const cut = rows.length >= ROWS_MAX ? t.noMoreThan : '';
    say(t.hasRows(name, formatCount(Math.min(rows.length, ROWS_MAX)), cut));
  };
  const start = () => {
    setCount(0);
    setError(undefined);
    read()
      .catch(setError)
      .finally(() => setCount(undefined));
  };
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
