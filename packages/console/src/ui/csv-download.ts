import { useEffect, useRef, useState } from 'react';
import { formatCount } from '../lib/amounts.ts';
import { csvOf } from '../lib/csv.ts';
import type { CsvTable } from '../lib/csv-table.ts';
import { texts } from '../texts/parts.ts';
import { say } from './toast.tsx';

const t = texts.csvDownload;

type CsvDownload<T> = {
  /** The name of the file. */
  name: string;
  read: () => AsyncIterable<readonly T[]>;
  tableOf: (items: readonly T[]) => CsvTable;
  rowsMax: number;
};

/**
 * Reads a list page by page and saves it as a CSV file on the person's computer. While it runs, `count` is the number
 * of rows read.
 */
export function useCsvDownload<T>({ name, read, tableOf, rowsMax }: CsvDownload<T>) {
  const [count, setCount] = useState<number>();
  const [error, setError] = useState<unknown>();
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  const run = async () => {
    const items: T[] = [];
    for await (const page of read()) {
      items.push(...page);
      if (isLeft.current) return;
      setCount(items.length);
      if (items.length >= rowsMax) break;
    }
    const { titles, rows } = tableOf(items);
    const kept = rows.slice(0, rowsMax);
    downloadText(name, csvOf(titles, kept), 'text/csv');
    const isCut = rows.length > rowsMax || items.length >= rowsMax;
    say(t.hasRows(name, formatCount(kept.length), isCut ? t.noMoreThan : ''));
  };
  const start = () => {
    setCount(0);
    setError(undefined);
    run()
      .catch(setError)
      .finally(() => setCount(undefined));
  };
  return { count, error, start };
}

/** Saves a text as a file on the person's computer. */
function downloadText(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Browsers begin to read the file before click() returns. Some need a moment more.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
