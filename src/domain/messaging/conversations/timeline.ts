/**
 * The timeline of a conversation: the rows of several modules, newest first. Ids are time-ordered after their prefix,
 * so rows of all kinds are merged by the rest of their ids, and the rest of one id is a cursor for all kinds.
 */
import { type TSchema, Type } from 'typebox';
import type { Context } from '../../../context.ts';
import { idPosition, type Page, toPage } from '../../../http/schemas/pagination.ts';
import { ID_PREFIXES, type IdKind } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { listMessages } from '../messages/queries.ts';
import { Message } from '../messages/schema.ts';

export type TimelineItem = { readonly id: string; readonly object: string };

/** For reading rows and signing the links in them. */
type TimelineContext = Pick<Context, 'db' | 'cipher' | 'clock' | 'settings'>;

/** One kind of timeline items. */
export type TimelineSource = {
  readonly kind: IdKind;
  readonly schema: TSchema;
  /** Returns items of the conversation, newest first; with `before`, only those with a smaller id. */
  list(
    context: TimelineContext,
    ledger: Ledger,
    page: { readonly conversationId: string; readonly before: string | null; readonly rows: number },
  ): Promise<readonly TimelineItem[]>;
};

const messages: TimelineSource = {
  kind: 'message',
  schema: Message,
  list: ({ db }, ledger, page) =>
    listMessages(db, ledger, { tenantId: null, direction: null, range: { start: null, end: null }, ...page }),
};

const LIST = 'timeline';

/** Creates the timeline: messages and the items of `others`. */
export function createTimeline(others: readonly TimelineSource[]) {
  const sources = [messages, ...others];
  return {
    item: Type.Unsafe<TimelineItem>({ anyOf: sources.map(({ schema }) => schema) }),
    /** Returns a page of the timeline. Error: invalid_body (a cursor of another list). */
    read: async (
      context: TimelineContext,
      ledger: Ledger,
      { conversationId, after, limit }: { conversationId: string; after: string | undefined; limit: number },
    ): Promise<Page<TimelineItem>> => {
      const position = idPosition(LIST, after);
      const beforeOf = (kind: IdKind) => (position === null ? null : `${ID_PREFIXES[kind]}_${positionOf(position)}`);
      const lists = await Promise.all(
        sources.map(({ kind, list }) =>
          list(context, ledger, { conversationId, before: beforeOf(kind), rows: limit + 1 }),
        ),
      );
      const rows = lists.flat().sort((a, b) => (positionOf(a.id) < positionOf(b.id) ? 1 : -1));
      return toPage(LIST, rows, limit, ({ id }) => [positionOf(id)]);
    },
  };
}

/** Returns the time-ordered part of an id, without the prefix. */
function positionOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}
