import type { Conversation } from '@dialplane/sdk/resources';
import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import type { List } from '../../api/queries.ts';
import { ledgerPath, useLedger } from '../../app/ledger.ts';
import { Person } from '../../app/person.tsx';
import { TenantName } from '../../app/tenant-field.tsx';
import { classes } from '../../lib/classes.ts';
import { previewText } from '../../lib/previews.ts';
import { texts } from '../../texts/inbox.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { Moment } from '../../ui/moment.tsx';
import { OneZone, ZoneName } from '../../ui/one-zone.tsx';
import { rich } from '../../ui/rich.tsx';
import css from './inbox.module.css';

const t = texts.conversationList;

const ROW_PX = 86;
const AHEAD_ROWS = 10;

type ConversationListProps = { list: List<Conversation>; openId: string | undefined; empty: React.ReactNode };

/** The conversations, latest activity first. */
export function ConversationList({ list, openId, empty }: ConversationListProps) {
  const { rows, hasMore, loadMore } = list;
  const scroller = useRef<HTMLElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 6,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length - AHEAD_ROWS) loadMore();
  }, [hasMore, last, rows.length, loadMore]);
  return (
    <OneZone isNamedWithin>
      <nav ref={scroller} aria-label={t.conversations} className={css.conversations}>
        {list.error !== null && rows.length === 0 && (
          <>
            <ErrorNote error={list.error} />
            <Button onPress={list.reload}>{t.tryAgain}</Button>
          </>
        )}
        {list.isLoading && <p role="status">{t.loadingConversations}</p>}
        {!list.isLoading && list.error === null && rows.length === 0 && empty}
        <ul style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, key, start }) => (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Entry conversation={rows[index] as Conversation} openId={openId} />
            </li>
          ))}
        </ul>
        <p role="status" className={css.hint}>
          {list.isLoadingMore && t.loadingMore}
        </p>
        {rows.length > 0 && (
          <div className={css.zone}>
            <ZoneName />
          </div>
        )}
      </nav>
    </OneZone>
  );
}

function Entry({ conversation, openId }: { conversation: Conversation; openId: string | undefined }) {
  const ledger = useLedger();
  const { id, tenant_id, external_number, last_activity_at } = conversation;
  const isOpen = id === openId;
  return (
    <Link
      to={ledgerPath(ledger, `inbox/${id}`)}
      search={true as never}
      className={classes(css.entry, isOpen && css.open)}
      aria-current={isOpen ? 'page' : undefined}
    >
      <span className={css.line}>
        <strong>
          <Person tenantId={tenant_id} number={external_number} />
          {(conversation.unread_count ?? 0) > 0 && <Badge tone="info">{rich(t.new, conversation.unread_count)}</Badge>}
        </strong>
        <span className={css.hint}>
          <Moment at={last_activity_at} tenantId={tenant_id} />
        </span>
      </span>
      <span dir="auto" className={css.previewLine}>
        {previewText(conversation)}
      </span>
      <span className={css.line}>
        <span className={css.hint}>
          <TenantName id={tenant_id} />
        </span>
        <Marks conversation={conversation} />
      </span>
    </Link>
  );
}

function Marks({ conversation: { opted_out, state, assignee, snoozed_until, tags } }: { conversation: Conversation }) {
  return (
    <span className={css.marks}>
      {opted_out && <Badge tone="bad">{t.optedOut}</Badge>}
      {state === 'done' && <Badge tone="ok">{t.done}</Badge>}
      {snoozed_until !== null && <Badge tone="warn">{t.snoozed}</Badge>}
      {assignee !== null && <Badge>{assignee}</Badge>}
      {tags.map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
    </span>
  );
}
