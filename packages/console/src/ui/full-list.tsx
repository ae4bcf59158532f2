import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import type { List } from '../api/queries.ts';
import { texts } from '../texts/ui.ts';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';
import css from './full-list.module.css';
import { ListTools } from './list-tools.tsx';
import { useListTop } from './list-top.ts';
import { OneZone } from './one-zone.tsx';

const t = texts.fullList;

type FullListProps<T> = {
  /** The name of the rows, such as "Voicemails". */
  label: string;
  list: List<T>;
  rowId: (row: T) => string;
  row: (row: T) => ReactNode;
  /** Shown while there are no rows. */
  empty: ReactNode;
};

const ROW_PX = 190;
/** If fewer rows than this are below the window, the next rows are read. */
const AHEAD_ROWS = 5;

/**
 * A list of any length whose rows are cards. Only the rows in the window are drawn. For rows with columns, use
 * DataList.
 */
export function FullList<T>(list: FullListProps<T>) {
  return (
    <OneZone>
      <Cards {...list} />
    </OneZone>
  );
}

function Cards<T>({ label, list, rowId, row, empty }: FullListProps<T>) {
  const { rows, hasMore, isLoadingMore, loadMore } = list;
  const body = useRef<HTMLUListElement>(null);
  const isShown = rows.length > 0;
  const top = useListTop(body, isShown);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: 3,
    scrollMargin: top,
    getItemKey: (index) => rowId(rows[index] as T),
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length - AHEAD_ROWS) loadMore();
  }, [hasMore, last, rows.length, loadMore]);

  if (list.error !== null && !isShown) {
    return (
      <>
        <ErrorNote error={list.error} />
        <div>
          <Button onPress={list.reload}>{t.tryAgain}</Button>
        </div>
      </>
    );
  }
  if (list.isLoading) {
    return (
      <p role="status" className="loading">
        {t.loading(label.toLowerCase())}
      </p>
    );
  }
  if (!isShown) return empty;
  return (
    <>
      {list.whole !== undefined && <ListTools label={label} whole={list.whole} rows={rows} rowId={rowId} />}
      <ul aria-label={label} ref={body} className={css.list} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            aria-posinset={index + 1}
            aria-setsize={hasMore ? -1 : rows.length}
            className={css.row}
            style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
          >
            {row(rows[index] as T)}
          </li>
        ))}
      </ul>
      <p role="status">{isLoadingMore && t.loadingMore}</p>
    </>
  );
}
