import type { PhoneNumber } from '@dialplane/sdk/resources';
import { useEffect } from 'react';
import { type List, useList } from '../api/queries.ts';

const READ_MAX = 1_000;

/** Reads the numbers of a tenant, at most a thousand. The API has no narrower filter for them. */
export function useNumbersOf(tenantId: string): List<PhoneNumber> {
  const numbers = useList(['phone_numbers', { tenant_id: tenantId }], (api, page) =>
    api.phoneNumbers.list({ tenant_id: tenantId, ...page }),
  );
  const { rows, hasMore, isLoadingMore, loadMore } = numbers;
  useEffect(() => {
    if (hasMore && !isLoadingMore && rows.length < READ_MAX) loadMore();
  }, [hasMore, isLoadingMore, rows.length, loadMore]);
  return numbers;
}
