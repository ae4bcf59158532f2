import { useEffect } from 'react';
import type { List } from '../api/queries.ts';

/** The number of rows that are searched. A row beyond them is found by its id. */
const ROWS_MAX = 500;

/** While a person looks at a list with a search field, reads its later pages. */
export function useReadOn({ rows, hasMore, isLoadingMore, loadMore }: List<unknown>, isWanted: boolean): void {
  useEffect(() => {
    if (isWanted && hasMore && !isLoadingMore && rows.length < ROWS_MAX) loadMore();
  }, [isWanted, hasMore, isLoadingMore, rows.length, loadMore]);
}
