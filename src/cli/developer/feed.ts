/** Reads a list of the API forward as the list grows: events, or the request log. */

import { sleep } from '../../lib/time/time.ts';
import { CommandError } from '../command.ts';
import { RefusedError, readApi, type ServerAccess } from './server-access.ts';

export type FeedOptions = {
  /** The path of a list below /v1. The list takes `order`, and the id of an item in `after`. */
  readonly path: string;
  /** Filters of the list. */
  readonly query: Readonly<Record<string, string>>;
  /** How many existing items the feed returns first. */
  readonly replay: number;
  readonly signal: AbortSignal;
  /** Interval between two reads of the list; 500 ms by default. */
  readonly lookMs?: number;
  /** Called once with the problem when the server stops answering, and once with undefined when it answers again. */
  onReach(problem: string | undefined): void;
};

type Item = { readonly id: string };
type ItemPage<T> = { readonly data: readonly T[] };

export type Feed<T> = {
  /** The items that existed, the oldest first. */
  readonly past: readonly T[];
  /**
   * The items that are added later, each once, even if the server is unavailable for a time. They end with the signal.
   */
  readonly next: AsyncGenerator<T>;
};

const LOOK_MS = 500;
const RETRY_MS = 2_000;
export const PAGE_MAX = 100;

/** Finds the current end of the list. Throws CommandError if the server does not answer or refuses. */
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
    // A reset of the ledger, for example, has deleted the item and all earlier ones. All items that exist now are new.
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

/** Describes why there is no answer. If there is one, its error describes itself. */
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
