import { useEffect } from 'react';
import type { List } from '../api/queries.ts';

/** The number of rows that are searched. Others are found by their id. */
const ROWS_MAX = 500;

/** Reads the later pages of a list that is searched by typing, while a person looks at it. */
export function useReadOn({ rows, hasMore, isLoadingMore, loadMore }: List<unknown>, isWanted: boolean): void {
  useEffect(() => {
    if (isWanted && hasMore && !isLoadingMore && rows.length < ROWS_MAX) loadMore();
  }, [isWanted, hasMore, isLoadingMore, rows.length, loadMore]);
}
