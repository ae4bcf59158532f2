import type { DialplaneError, Pages } from '@dialplane/sdk/resources';
import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useLedger } from '../app/ledger.ts';
import { say } from '../ui/toast.tsx';
import { type Api, apiOf, apiThrough, type Ledger, ledgerUrl } from './client.ts';
import { keepPrevious, ledgerKey } from './ledger-key.ts';
import { useSingleWrite } from './single-write.ts';

/** Names the data of a query: the resource (as in the path, such as `phone_numbers`), then its id or filters. */
export type ReadKey = readonly [resource: string, ...parts: unknown[]];

const PAGE_ROWS = 50;
/** The most rows that the API returns at once. */
const WHOLE_PAGE_ROWS = 100;

/** Reads from the API of the ledger, and again whenever a live event reports a change of the resource. */
export function useRead<T>(
  key: ReadKey,
  read: (api: Api) => PromiseLike<T>,
  options: {
    enabled?: boolean;
    everyMs?: number;
    /** Shows the data of the previous key of this ledger until the new data is read. */
    keepsPrevious?: boolean;
    /**
     * Reads again at each change of this key, even if the data is fresh, because the answer depends on more than the
     * key.
     */
    isVolatile?: boolean;
  } = {},
) {
  const ledger = useLedger();
  const queryKey = ledgerKey(ledger, ...key);
  return useQuery<T, DialplaneError>({
    queryKey,
    queryFn: async () => await read(apiOf(ledger)),
    enabled: options.enabled ?? true,
    ...(options.everyMs !== undefined && { refetchInterval: options.everyMs }),
    ...(options.keepsPrevious === true && keepPrevious(queryKey)),
    ...(options.isVolatile === true && { staleTime: 0 }),
  });
}

/** A list that is read page by page as the person scrolls. */
export type List<T> = {
  readonly rows: readonly T[];
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  readonly hasMore: boolean;
  readonly error: DialplaneError | null;
  readonly loadMore: () => void;
  readonly reload: () => void;
  /** The whole list at the server; undefined if no list of the server has exactly these rows. */
  readonly whole?: WholeList<T> | undefined;
};

export type WholeList<T> = {
  /** Reads the list from its beginning, page by page. */
  readonly readAll: () => AsyncIterable<readonly T[]>;
  /** Returns the path and the query of the list in the public API. Lists of the operator API have none. */
  readonly address?: () => Promise<string>;
};

export type PageQuery = { limit: number; after?: string };
type RawPage<T> = { readonly data: readonly T[]; readonly nextCursor: string | null };

type ListOptions = {
  /** Reads the list again after this time. Only for a list of one page, because all its pages would be read again. */
  everyMs?: number;
  isEnabled?: boolean;
  /** Shows the rows of the previous key of this ledger until the new rows are read. Meanwhile `isLoading` is true. */
  keepsPrevious?: boolean;
};

/** Reads a list of the ledger. `read` gets the cursor: `(api, page) => api.messages.list({ ...filters, ...page })`. */
export function useList<T>(
  key: ReadKey,
  read: (api: Api, page: PageQuery) => Pages<T>,
  options: ListOptions = {},
): List<T> {
  const ledger = useLedger();
  const list = usePages(ledgerKey(ledger, ...key), (page) => read(apiOf(ledger), page), options);
  const readAll = () => rowsOfPages(read(apiOf(ledger), { limit: WHOLE_PAGE_ROWS }));
  return { ...list, whole: { readAll, address: () => addressOf(ledger, read) } };
}

/** Returns the path and the query that `read` asks for, without a request. */
async function addressOf<T>(ledger: Ledger, read: (api: Api, page: PageQuery) => Pages<T>): Promise<string> {
  let asked = '';
  const note: typeof fetch = (input) => {
    asked = String(input);
    return Promise.resolve(Response.json({ data: [], has_more: false, next_cursor: null }));
  };
  await read(apiThrough(ledger, note), { limit: PAGE_ROWS });
  const { pathname, search } = new URL(asked);
  return `${pathname.slice(new URL(ledgerUrl(ledger)).pathname.length)}${search}`;
}

/** Returns the rows of a list, page by page. */
export async function* rowsOfPages<T>(pages: Pages<T>): AsyncGenerator<readonly T[]> {
  for await (const page of pages.pages()) yield page.data;
}

/** Reads a list of the operator API, or any other list with cursors. */
export function usePages<T>(
  queryKey: readonly unknown[],
  read: (page: PageQuery) => Pages<T>,
  { everyMs, isEnabled = true, keepsPrevious = false }: ListOptions = {},
): List<T> {
  const query = useInfiniteQuery<
    RawPage<T>,
    DialplaneError,
    InfiniteData<RawPage<T>>,
    readonly unknown[],
    string | undefined
  >({
    queryKey,
    queryFn: async ({ pageParam }) =>
      await read({ limit: PAGE_ROWS, ...(pageParam !== undefined && { after: pageParam }) }),
    enabled: isEnabled,
    initialPageParam: undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    ...(keepsPrevious && keepPrevious(queryKey)),
    ...(everyMs !== undefined && {
      refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : everyMs),
    }),
  });
  const { data, isPlaceholderData, isFetchingNextPage, fetchNextPage, refetch } = query;
  const hasMore = query.hasNextPage && !isPlaceholderData;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  return {
    rows,
    isLoading: query.isPending || isPlaceholderData,
    isLoadingMore: isFetchingNextPage,
    hasMore,
    error: query.error,
    loadMore: () => {
      if (hasMore && !isFetchingNextPage) void fetchNextPage();
    },
    reload: () => void refetch(),
    whole: { readAll: () => rowsOfPages(read({ limit: WHOLE_PAGE_ROWS })) },
  };
}

export type WriteOptions<Input, Output> = {
  /** The resources whose queries are read again, such as `['messages', 'conversations']`. */
  readonly changes: readonly string[];
  /** The message after success, such as "The number is released." */
  readonly done?: string | ((output: Output, input: Input) => string);
  /** Runs before the queries are read again, so a page that it leaves does not read deleted data. */
  readonly onDone?: (output: Output, input: Input) => void | Promise<void>;
  /** True if `mutate` may start a write while another one runs, for example for the keys of a telephone. */
  readonly isRepeatable?: boolean;
  /** Writes of the same line run one after the other, in the order they were started. */
  readonly line?: string;
};

/**
 * Makes a function that changes a resource: `const release = useWrite((api, id: string) =>
 * api.phoneNumbers.release(id), { changes: [...] })`, then `release.mutate(id)`. Show `release.error` in an ErrorNote,
 * or pass it to a Form. While it runs, `mutate` does nothing. If the new resource has a page, `onDone` returns the
 * navigation, so that `release` runs until the page is open.
 */
export function useWrite<Input, Output>(
  write: (api: Api, input: Input) => Promise<Output>,
  { changes, done, onDone, isRepeatable = false, line }: WriteOptions<Input, Output>,
) {
  const ledger = useLedger();
  const client = useQueryClient();
  return useSingleWrite<Input, Output>({
    isRepeatable,
    ...(line !== undefined && { scope: { id: line } }),
    mutationFn: (input) => write(apiOf(ledger), input),
    onSuccess: async (output, input) => {
      if (done !== undefined) say(typeof done === 'string' ? done : done(output, input));
      await onDone?.(output, input);
      await Promise.all(changes.map((resource) => client.invalidateQueries({ queryKey: ledgerKey(ledger, resource) })));
    },
  });
}
