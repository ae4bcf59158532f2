/** The events of an account in the order in which they were written, from a moment on. */
import { setTimeout as pause } from 'node:timers/promises';
import { CommandError } from '../command.ts';
import { readApi, type ServerAccess } from './server-access.ts';

export type FeedEvent = {
  readonly id: string;
  readonly type: string;
  readonly tenant_id: string | null;
  readonly resource_id: string;
  readonly data: Readonly<Record<string, unknown>>;
};

type FeedOptions = {
  readonly tenantId: string | undefined;
  /** So many of the events that exist come first. */
  readonly replay: number;
  readonly signal: AbortSignal;
  /** Reports that the server does not answer, and that it does again. */
  onReach(problem: string | undefined): void;
};

type EventPage = { readonly data: readonly FeedEvent[]; readonly next_cursor: string | null };

const LOOK_MS = 500;
const RETRY_MS = 2_000;
export const PAGE_MAX = 100;

/**
 * Finds where the events are now. Returns those that follow, each once, also after the server was away; they end with
 * the signal.
 */
export async function openFeed(server: ServerAccess, options: FeedOptions): Promise<AsyncGenerator<FeedEvent>> {
  const newest = await readApi<EventPage>(server, pathOf(options, { limit: String(Math.max(options.replay, 1)) }));
  return follow(server, options, newest.data);
}

async function* follow(server: ServerAccess, options: FeedOptions, newest: EventPage['data']) {
  const { replay, signal, onReach } = options;
  yield* newest.slice(0, replay).reverse();
  let last = newest[0]?.id;
  let isAway = false;
  while (!signal.aborted) {
    const query = { order: 'asc', limit: String(PAGE_MAX), ...(last !== undefined && { after: last }) };
    const page = await readPage(server, pathOf(options, query), options);
    if (page !== undefined && isAway) onReach(undefined);
    isAway = page === undefined;
    for (const event of page?.data ?? []) {
      last = event.id;
      yield event;
    }
    if ((page?.data.length ?? 0) < PAGE_MAX) await rest(isAway ? RETRY_MS : LOOK_MS, signal);
  }
}

function pathOf({ tenantId }: FeedOptions, query: Readonly<Record<string, string>>): string {
  return `/events?${new URLSearchParams({ ...query, ...(tenantId !== undefined && { tenant_id: tenantId }) })}`;
}

/** Returns undefined if the server does not answer. */
async function readPage(server: ServerAccess, path: string, { signal, onReach }: FeedOptions) {
  try {
    return await readApi<EventPage>(server, path, signal);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    if (!signal.aborted) onReach((error as Error).message);
    return undefined;
  }
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error;
  });
}
