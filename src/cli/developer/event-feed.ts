/** The events of an account from a moment on, in the order they were written. */
import { type Feed, type FeedOptions, openFeed } from './feed.ts';
import type { ServerAccess } from './server-access.ts';

export type FeedEvent = {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly tenant_id: string | null;
  readonly resource_id: string;
  readonly data: Readonly<Record<string, unknown>>;
};

type EventFeedOptions = Omit<FeedOptions, 'path' | 'query'> & { readonly tenantId: string | undefined };

/** Finds the current end of the events. Throws CommandError if the server does not answer or refuses. */
export function openEvents(server: ServerAccess, { tenantId, ...options }: EventFeedOptions): Promise<Feed<FeedEvent>> {
  const query = { ...(tenantId !== undefined && { tenant_id: tenantId }) };
  return openFeed<FeedEvent>(server, { ...options, path: '/events', query });
}
