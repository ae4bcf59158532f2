import type { TimelineItem } from '@dialplane/sdk/resources';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useList } from '../../api/queries.ts';
import { formatMoment } from '../../lib/dates.ts';
import { useShownZone } from '../../lib/zone.ts';
import { texts } from '../../texts/inbox.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { OneZone } from '../../ui/one-zone.tsx';
import type { Outgoing } from './outbox.ts';
import css from './thread.module.css';
import { Item, OutgoingText } from './timeline-item.tsx';

const t = texts.timeline;

type TimelineProps = {
  conversationId: string;
  tenantId: string;
  outgoing: readonly Outgoing[];
  onOpen: (messageId: string) => void;
  onRetry: (outgoing: Outgoing) => void;
  onEdit: (outgoing: Outgoing) => void;
  onDiscard: (key: string) => void;
};

type Row =
  | { readonly key: string; readonly day: string }
  | { readonly key: string; readonly item: TimelineItem }
  | { readonly key: string; readonly outgoing: Outgoing };

const ROW_PX = 84;
/** If fewer entries than this are above the window, older entries are read. */
const AHEAD_ROWS = 8;

const timeOf = (item: TimelineItem) => (item.object === 'call' ? item.started_at : item.created_at);

/** The entries between the two numbers, the newest at the bottom. Older entries are read as the person scrolls up. */
export function Timeline({ conversationId, tenantId, outgoing, ...actions }: TimelineProps) {
  const list = useList(['timeline', conversationId], (api, page) =>
    api.conversations.getTimeline(conversationId, page),
  );
  const { name: zone } = useShownZone(tenantId);
  const rows = useMemo(() => rowsOf(list.rows, outgoing, zone), [list.rows, outgoing, zone]);
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 6,
    anchorTo: 'end',
    followOnAppend: true,
  });
  const isShown = useRef(false);
  useLayoutEffect(() => {
    if (isShown.current || rows.length === 0) return;
    isShown.current = true;
    virtual.scrollToEnd();
  }, [rows.length, virtual]);
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? rows.length;
  const { hasMore, loadMore } = list;
  useEffect(() => {
    if (hasMore && first < AHEAD_ROWS) loadMore();
  }, [hasMore, first, loadMore]);
  if (list.error !== null && list.rows.length === 0) {
    return (
      <div className={css.scroller}>
        <ErrorNote error={list.error} />
        <Button onPress={list.reload}>{t.tryAgain}</Button>
      </div>
    );
  }
  return (
    <OneZone tenantId={tenantId} isNamedWithin>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls the thread */}
      <div ref={scroller} className={css.scroller} role="region" aria-label={t.textsAndCalls} tabIndex={0}>
        <p role="status" className={css.loading}>
          {(list.isLoading || list.isLoadingMore) && t.loading}
        </p>
        <div className={css.canvas} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={css.row}
              style={{ transform: `translateY(${start}px)` }}
            >
              <RowContent row={rows[index] as Row} items={list.rows} {...actions} />
            </div>
          ))}
        </div>
      </div>
    </OneZone>
  );
}

type Actions = Omit<TimelineProps, 'conversationId' | 'tenantId' | 'outgoing'>;
type RowProps = Actions & { row: Row; items: readonly TimelineItem[] };

function RowContent({ row, items, onOpen, onRetry, onEdit, onDiscard }: RowProps) {
  if ('day' in row) return <p className={css.day}>{row.day}</p>;
  if ('item' in row) return <Item item={row.item} items={items} onOpen={onOpen} />;
  const { outgoing } = row;
  return (
    <OutgoingText
      outgoing={outgoing}
      onRetry={() => onRetry(outgoing)}
      onEdit={() => onEdit(outgoing)}
      onDiscard={() => onDiscard(outgoing.key)}
    />
  );
}

/** Returns the entries, oldest first, with a line before each day, and then the texts that are being sent. */
function rowsOf(newestFirst: readonly TimelineItem[], outgoing: readonly Outgoing[], zone: string): Row[] {
  const rows: Row[] = [];
  const ids = new Set<string>();
  let day = '';
  for (const item of newestFirst.toReversed()) {
    const itsDay = formatMoment(timeOf(item), 'day', { zone });
    if (itsDay !== day) rows.push({ key: `day ${itsDay}`, day: t.timesIn(itsDay, zone) });
    day = itsDay;
    ids.add(item.id);
    rows.push({ key: item.id, item });
  }
  for (const each of outgoing) {
    if (each.id === null || !ids.has(each.id)) rows.push({ key: each.key, outgoing: each });
  }
  return rows;
}
