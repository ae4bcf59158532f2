import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import type { List } from '../api/queries.ts';
import { classes } from '../lib/classes.ts';
import { isId } from '../lib/ids.ts';
import { texts } from '../texts/ui.ts';
import { Button } from './button.tsx';
import { CopyButton } from './code.tsx';
import css from './data-list.module.css';
import { ErrorNote } from './error-note.tsx';
import { ListTools } from './list-tools.tsx';
import { useListTop } from './list-top.ts';
import { OneZone } from './one-zone.tsx';

const t = texts.dataList;

export type Column<T> = {
  readonly title: string;
  readonly cell: (row: T) => ReactNode;
  /** The share of the width or a length, as in CSS grid; `1fr` by default. */
  readonly width?: string;
  readonly align?: 'end';
  /** True to wrap a long text onto several lines instead of cutting it. */
  readonly wraps?: boolean;
};

type DataListProps<T> = {
  /** The name of the rows, such as "Tenants". */
  label: string;
  list: List<T>;
  columns: readonly Column<T>[];
  rowId: (row: T) => string;
  /** The page that a row opens. The first column has the link. */
  rowLink?: (row: T) => string;
  /** Shown while there are no rows. */
  empty: ReactNode;
  /** The tenant of all rows, on a page of one tenant. */
  tenantId?: string | undefined;
};

const ROW_PX = 49;
/** If fewer rows than this are below the window, the next rows are read. */
const AHEAD_ROWS = 10;
/** A click on one of these elements in a row does not open the row. */
const ACTING = ['a', 'button', 'input', 'label', 'audio'];

/** A list of any length. Only the rows in the window are drawn, and pages are read as the person scrolls. */
export function DataList<T>({ tenantId, ...list }: DataListProps<T>) {
  return (
    <OneZone tenantId={tenantId}>
      <Rows {...list} />
    </OneZone>
  );
}

function Rows<T>({ label, list, columns, rowId, rowLink, empty }: Omit<DataListProps<T>, 'tenantId'>) {
  const { rows, hasMore, isLoadingMore, loadMore } = list;
  const body = useRef<HTMLDivElement>(null);
  const top = useListTop(body, rows.length > 0);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: 8,
    scrollMargin: top,
    getItemKey: (index) => rowId(rows[index] as T),
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length - AHEAD_ROWS) loadMore();
  }, [hasMore, last, rows.length, loadMore]);

  if (list.error !== null && rows.length === 0) {
    return (
      <>
        <ErrorNote error={list.error} />
        <div>
          <Button onPress={list.reload}>{t.tryAgain}</Button>
        </div>
      </>
    );
  }
  if (list.isLoading) return <Waiting label={label} />;
  if (rows.length === 0) return empty;
  // Rows without ids have names or numbers.
  const hasIds = isId(rowId(rows[0] as T));
  const columnWidths = {
    '--columns': `${columns.map(({ width = '1fr' }) => `minmax(0, ${width})`).join(' ')}${hasIds ? ' 1.75rem' : ''}`,
  } as CSSProperties;
  return (
    <>
      {list.whole !== undefined && <ListTools label={label} whole={list.whole} rows={rows} rowId={rowId} />}
      <div className={css.table}>
        <div role="table" aria-label={label} aria-rowcount={hasMore ? -1 : rows.length + 1}>
          <div role="rowgroup" className={css.header}>
            <div role="row" aria-rowindex={1} className={css.row} style={columnWidths}>
              {columns.map(({ title, align }) => (
                <div key={title} role="columnheader" className={align && css.end}>
                  {title}
                </div>
              ))}
              {hasIds && (
                <div role="columnheader" className={css.id}>
                  {t.id}
                </div>
              )}
            </div>
          </div>
          <div role="rowgroup" ref={body} className={css.body} style={{ height: virtual.getTotalSize() }}>
            {items.map(({ index, key, start }) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: a keyboard opens the row by its link
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                ref={virtual.measureElement}
                data-index={index}
                className={classes(css.row, rowLink !== undefined && css.opens)}
                onClick={openRow}
                onAuxClick={openRow}
                style={{ ...columnWidths, transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
              >
                <Cells row={rows[index] as T} columns={columns} link={rowLink?.(rows[index] as T)} />
                {hasIds && (
                  <div role="cell" className={css.id}>
                    <CopyButton text={rowId(rows[index] as T)} label={t.copyTheId} />
                  </div>
                )}
              </div>
            ))}
          </div>
        </div>
        <p role="status" className={css.more}>
          {isLoadingMore && t.loadingMore}
        </p>
      </div>
    </>
  );
}

/**
 * Opens the page of a clicked row by a click on its link, with the same keys: in a new tab if the person asks for one.
 * Does nothing at the end of a selection of text, and for clicks on links, buttons and fields of the row.
 */
function openRow(event: MouseEvent<HTMLElement>): void {
  const { currentTarget: row, target, button, altKey, ctrlKey, metaKey, shiftKey } = event;
  const link = row.querySelector<HTMLElement>('a[data-opens-row]');
  // A window that a cell has opened is outside of the row.
  if (link === null || button > 1 || !(target instanceof Element) || !row.contains(target)) return;
  if (ACTING.some((name) => target.closest(name) !== null)) return;
  const selection = getSelection();
  if (selection !== null && !selection.isCollapsed && selection.containsNode(row, true)) return;
  const isMiddle = button === 1;
  const keys = { altKey, ctrlKey: ctrlKey || isMiddle, metaKey: metaKey || isMiddle, shiftKey };
  link.dispatchEvent(new globalThis.MouseEvent('click', { bubbles: true, cancelable: true, view: window, ...keys }));
}

type CellsProps<T> = { row: T; columns: readonly Column<T>[]; link: string | undefined };

function Cells<T>({ row, columns, link }: CellsProps<T>) {
  return columns.map(({ title, cell, align, wraps = false }, position) => (
    <div key={title} role="cell" className={classes(align && css.end, wraps && css.wraps)}>
      <span className={css.title} aria-hidden>
        {title}
      </span>
      {link !== undefined && position === 0 ? (
        <Link to={link} dir="auto" className={css.link} data-opens-row>
          {cell(row)}
        </Link>
      ) : (
        <span dir="auto">{cell(row)}</span>
      )}
    </div>
  ));
}

function Waiting({ label }: { label: string }) {
  return (
    <p role="status" className="loading">
      {t.loading(label.toLowerCase())}
    </p>
  );
}
