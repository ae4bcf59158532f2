import { Check, Copy, Download, SquareTerminal } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { WholeList } from '../api/queries.ts';
import { useLedger } from '../app/ledger.ts';
import { formatCount } from '../lib/amounts.ts';
import { csvTableOf } from '../lib/csv-table.ts';
import { texts } from '../texts/parts.ts';
import { Button } from './button.tsx';
import { curlOf } from './code.tsx';
import { useCsvDownload } from './csv-download.ts';
import { ErrorNote } from './error-note.tsx';
import css from './list-tools.module.css';

const t = texts.listTools;

/**
 * The browser holds all rows in memory until the file is complete, so their number is limited. The API returns 100 rows
 * a page.
 */
const CSV_ROWS_MAX = 10_000;

type ListToolsProps<T> = {
  label: string;
  whole: WholeList<T>;
  rows: readonly T[];
  rowId: (row: T) => string;
};

/** Buttons that download a list as a CSV file, copy the request for it, and copy the ids of its rows that were read. */
export function ListTools<T>({ label, whole: { address, readAll }, rows, rowId }: ListToolsProps<T>) {
  const ledger = useLedger();
  return (
    <div className={css.tools}>
      <CsvButton label={label} readAll={readAll} />
      {address !== undefined && (
        <CopyButton
          icon={<SquareTerminal aria-hidden />}
          label={t.copyCurl(label)}
          text={async () => curlOf(ledger, { path: await address() })}
        >
          curl
        </CopyButton>
      )}
      <CopyButton
        icon={<Copy aria-hidden />}
        label={t.copyIds(label)}
        text={async () => rows.map((row) => rowId(row)).join('\n')}
      >
        {t.ids}
      </CopyButton>
    </div>
  );
}

function CsvButton<T>({ label, readAll }: { label: string; readAll: () => AsyncIterable<T> }) {
  const name = `${label.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-')}.csv`;
  const { count, error, start } = useCsvDownload<object>({
    ...{ name, rowsMax: CSV_ROWS_MAX },
    read: readAll as () => AsyncIterable<readonly object[]>,
    tableOf: csvTableOf,
  });
  return (
    <>
      <ErrorNote error={error} />
      <Button small kind="quiet" aria-label={t.downloadCsv(label)} isPending={count !== undefined} onPress={start}>
        <Download aria-hidden /> {count === undefined ? 'CSV' : t.rowsRead(formatCount(count))}
      </Button>
    </>
  );
}

type CopyProps = { icon: ReactNode; label: string; text: () => Promise<string>; children: ReactNode };

function CopyButton({ icon, label, text, children }: CopyProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(await text());
    setCopied(true);
  };
  return (
    <Button small kind="quiet" aria-label={label} onPress={() => void copy()}>
      {isCopied ? <Check aria-hidden /> : icon} {children}
    </Button>
  );
}
