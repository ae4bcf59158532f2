import type { DialplaneError, Pages } from '@dialplane/sdk/resources';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { say } from '../ui/toast.tsx';
import { type List, type PageQuery, type ReadKey, usePages, type WriteOptions } from './queries.ts';
import { useSingleWrite } from './single-write.ts';

const operatorKey = (...key: readonly unknown[]) => ['operator', ...key];

/** Reads from the operator API. No events report its changes, so it may be read again at intervals. */
export function useOperatorRead<T>(
  key: ReadKey,
  read: () => Promise<T>,
  options: { enabled?: boolean; everyMs?: number } = {},
) {
  return useQuery<T, DialplaneError>({
    queryKey: operatorKey(...key),
    queryFn: read,
    enabled: options.enabled ?? true,
    ...(options.everyMs !== undefined && { refetchInterval: options.everyMs }),
  });
}

/** Reads a list of the operator API that has cursors. */
export function useOperatorList<T>(key: ReadKey, read: (page: PageQuery) => Pages<T>): List<T> {
  return usePages(operatorKey(...key), read);
}

/** Reads a list of the operator API without cursors. */
export function useWholeList<T>(
  key: ReadKey,
  read: () => Promise<readonly T[]>,
  options: { everyMs?: number } = {},
): List<T> {
  const { data, isPending, error, refetch } = useOperatorRead(key, read, options);
  return {
    rows: data ?? [],
    isLoading: isPending,
    isLoadingMore: false,
    hasMore: false,
    error,
    loadMore: () => undefined,
    reload: () => void refetch(),
    whole: { readAll: () => once(read) },
  };
}

/** Writes by the operator API, and then reads the lists in `changes` again. */
export function useOperatorWrite<Input, Output>(
  write: (input: Input) => Promise<Output>,
  { changes, done, onDone }: WriteOptions<Input, Output>,
) {
  const client = useQueryClient();
  return useSingleWrite<Input, Output>({
    mutationFn: write,
    onSuccess: async (output, input) => {
      if (done !== undefined) say(typeof done === 'string' ? done : done(output, input));
      await onDone?.(output, input);
      await Promise.all(changes.map((resource) => client.invalidateQueries({ queryKey: operatorKey(resource) })));
    },
  });
}

async function* once<T>(read: () => Promise<readonly T[]>): AsyncGenerator<readonly T[]> {
  yield await read();
}
