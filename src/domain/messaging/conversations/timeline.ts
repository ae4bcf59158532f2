/**
 * The timeline of a conversation: the rows of several modules, newest first. Rows are ordered by their times, and rows
 * of the same time by their ids without the prefix. So one position works for rows of all kinds.
 */

import type { Context } from '../../../context.ts';
import { type Page, type Position, readMomentCursor, toPage } from '../../../http/schemas/pagination.ts';
import { ID_PREFIXES, type IdKind } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { type TSchema, Type } from '../../../lib/type.ts';
import { withMediaLinks } from '../media/media-link.ts';
import { listMessagesOfConversation } from '../messages/list-queries.ts';
import { Message } from '../messages/schema.ts';

/** `position` is the moment of the item, as in cursors. */
export type TimelineItem = { readonly id: string; readonly object: string; readonly position: string };

/** The parts for reading rows and for signing their links. */
type TimelineContext = Pick<Context, 'db' | 'cipher' | 'clock' | 'settings'>;

/** One kind of timeline items. */
export type TimelineSource = {
  readonly kind: IdKind;
  readonly schema: TSchema;
  /** Returns items of the conversation, newest first; with `before`, only items before that moment and id. */
  list(
    context: TimelineContext,
    ledger: Ledger,
    page: { readonly conversationId: string; readonly before: Position; readonly rows: number },
  ): Promise<readonly TimelineItem[]>;
};

const messages: TimelineSource = {
  kind: 'message',
  schema: Message,
  list: async (context, ledger, page) => {
    const rows = await listMessagesOfConversation(context.db, ledger, page);
    return rows.map((row) => withMediaLinks(context, ledger, row));
  },
};

/** Creates the timeline: messages and the items of `others`. */
export function createTimeline(others: readonly TimelineSource[]) {
  const sources = [messages, ...others];
  return {
    item: Type.Unsafe<TimelineItem>({ anyOf: sources.map(({ schema }) => schema) }),
    /** Returns a page of the timeline. Error: invalid_cursor. */
    read: async (
      context: TimelineContext,
      ledger: Ledger,
      { conversationId, after, limit }: { conversationId: string; after: string | undefined; limit: number },
    ): Promise<Page<TimelineItem>> => {
      const name = `timeline:${conversationId}`;
      const position = readMomentCursor(name, 2, after);
      const beforeOf = (kind: IdKind): Position =>
        position === null ? null : [position[0] as string, `${ID_PREFIXES[kind]}_${position[1]}`];
      const lists = await Promise.all(
        sources.map(({ kind, list }) =>
          list(context, ledger, { conversationId, before: beforeOf(kind), rows: limit + 1 }),
        ),
      );
      const rows = lists.flat().sort((a, b) => (sortKey(a) < sortKey(b) ? 1 : -1));
      return toPage(name, rows, limit, (item) => [item.position, withoutPrefix(item.id)]);
    },
  };
}

function sortKey({ position, id }: TimelineItem): string {
  return `${position} ${withoutPrefix(id)}`;
}

function withoutPrefix(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}
