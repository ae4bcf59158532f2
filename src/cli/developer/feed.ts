/** A list of the API that is read forward as it grows: events, and the request log. */

import { sleep } from '../../lib/time/time.ts';
import { CommandError } from '../command.ts';
import { RefusedError, readApi, type ServerAccess } from './server-access.ts';

export type FeedOptions = {
  /** The path below /v1 of a list that takes `order` and, in `after`, the id of an item. */
  readonly path: string;
  /** Filters of the list. */
  readonly query: Readonly<Record<string, string>>;
  /** The number of existing items that come first. */
  readonly replay: number;
  readonly signal: AbortSignal;
  /** How often the list is read, 500 ms by default. */
  readonly lookMs?: number;
  /** Reports once that the server does not answer, and that it does again. */
  onReach(problem: string | undefined): void;
};

type Item = { readonly id: string };
type ItemPage<T> = { readonly data: readonly T[] };

export type Feed<T> = {
  /** The items that existed, the oldest first. */
  readonly past: readonly T[];
  /** The items that follow, each once, also after the server was away. They end with the signal. */
  readonly next: AsyncGenerator<T>;
};

const LOOK_MS = 500;
const RETRY_MS = 2_000;
export const PAGE_MAX = 100;

/** Finds where the list is now. Throws CommandError if the server does not answer or refuses. */
export async function openFeed<T extends Item>(server: ServerAccess, options: FeedOptions): Promise<Feed<T>> {
  const { path, query, replay, signal } = options;
  const first = new URLSearchParams({ ...query, limit: String(Math.max(replay, 1)) });
  const { data } = await readApi<ItemPage<T>>(server, `${path}?${first}`, signal).catch((error: unknown) => {
    throw error instanceof CommandError ? error : new CommandError(describe(server, error), { cause: error });
  });
  return { past: data.slice(0, replay).reverse(), next: follow<T>(server, options, data[0]?.id) };
}

async function* follow<T extends Item>(server: ServerAccess, options: FeedOptions, newest: string | undefined) {
  const { path, query, signal, lookMs = LOOK_MS, onReach } = options;
  let last = newest;
  let isAway = false;
  while (!signal.aborted) {
    const forward = { ...query, order: 'asc', limit: String(PAGE_MAX), ...(last !== undefined && { after: last }) };
    const page = await readPage<T>(server, `${path}?${new URLSearchParams(forward)}`, signal);
    if (signal.aborted) return;
    const problem = 'problem' in page ? page.problem : undefined;
    if (isAway !== (problem !== undefined)) onReach(problem);
    isAway = problem !== undefined;
    const items = 'items' in page ? page.items : [];
    // The item and all earlier items are gone, as after a reset of the ledger. All items that exist are new.
    if ('isGone' in page) last = undefined;
    for (const item of items) {
      last = item.id;
      yield item;
    }
    if (items.length < PAGE_MAX) await rest(isAway ? RETRY_MS : lookMs, signal);
  }
}

type Read<T> = { readonly items: readonly T[] } | { readonly isGone: true } | { readonly problem: string };

async function readPage<T>(server: ServerAccess, path: string, signal: AbortSignal): Promise<Read<T>> {
  try {
    return { items: (await readApi<ItemPage<T>>(server, path, signal)).data };
  } catch (error) {
    if (error instanceof RefusedError && error.code === 'invalid_cursor') return { isGone: true };
    if (error instanceof CommandError) throw error;
    return { problem: describe(server, error) };
  }
}

/** Describes why there is no answer. An error in an answer describes itself. */
function describe({ url }: ServerAccess, error: unknown): string {
  const { cause, message } = error as Error;
  if (message.startsWith(url)) return message;
  return `${url} does not answer: ${cause instanceof Error && cause.message !== '' ? cause.message : message}`;
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, { signal }).catch((error: Error) => {
    if (error.name !== 'AbortError') throw error;
  });
}
