/**
 * Everything in a thread, newest first, out of what several modules keep. Ids are time-ordered behind their prefix, so
 * that rows of all kinds merge by the rest of their ids, and one such place is a cursor for all of them.
 */
import { type TSchema, Type } from 'typebox';
import type { Context } from '../../../context.ts';
import { idPosition, type Page, toPage } from '../../../http/schemas/pagination.ts';
import { ID_PREFIXES, type IdKind } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { listMessages } from '../messages/queries.ts';
import { Message } from '../messages/schema.ts';

export type TimelineItem = { readonly id: string; readonly object: string };

/** What rows are read with, and links in them signed. */
type TimelineContext = Pick<Context, 'db' | 'cipher' | 'clock' | 'settings'>;

/** One kind of rows that threads hold. */
export type TimelineSource = {
  readonly kind: IdKind;
  readonly schema: TSchema;
  /** Rows of the thread, newest first; with `before` those with a lesser id. */
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

/** The timeline of threads: their messages, and what `others` know of. */
export function createTimeline(others: readonly TimelineSource[]) {
  const sources = [messages, ...others];
  return {
    item: Type.Unsafe<TimelineItem>({ anyOf: sources.map(({ schema }) => schema) }),
    /** A page of the thread. Error: invalid_body (a cursor of another list). */
    read: async (
      context: TimelineContext,
      ledger: Ledger,
      { conversationId, after, limit }: { conversationId: string; after: string | undefined; limit: number },
    ): Promise<Page<TimelineItem>> => {
      const position = idPosition(LIST, after);
      const beforeOf = (kind: IdKind) => (position === null ? null : `${ID_PREFIXES[kind]}_${placeOf(position)}`);
      const lists = await Promise.all(
        sources.map(({ kind, list }) =>
          list(context, ledger, { conversationId, before: beforeOf(kind), rows: limit + 1 }),
        ),
      );
      const rows = lists.flat().sort((a, b) => (placeOf(a.id) < placeOf(b.id) ? 1 : -1));
      return toPage(LIST, rows, limit, ({ id }) => [placeOf(id)]);
    },
  };
}

function placeOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}
