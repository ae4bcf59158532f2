/** Which conversations the list shows: for a session with a reader, whose people share the inbox. */
import type { Conversation } from '@dialplane/sdk';

export const FILTERS = ['all', 'open', 'mine', 'nobodys', 'unread', 'done'] as const;
export type Filter = (typeof FILTERS)[number];

/** Returns the filter as the query of `GET /conversations`. */
export function queryOf(filter: Filter, reader: string | null): Record<string, string> {
  switch (filter) {
    case 'all':
      return {};
    case 'unread':
      return { unread: 'true' };
    case 'mine':
      return { state: 'open', assignee: reader ?? 'none' };
    case 'nobodys':
      return { state: 'open', assignee: 'none' };
    default:
      return { state: filter };
  }
}

/** True if the list shows the conversation. */
export function suits(filter: Filter, { state, assignee, unread_count = 0 }: Conversation, reader: string | null) {
  if (filter === 'all') return true;
  if (filter === 'unread') return unread_count > 0;
  if (filter === 'done') return state === 'done';
  return state === 'open' && (filter === 'open' || assignee === (filter === 'mine' ? reader : null));
}
