import type { SearchResult } from '@dialplane/sdk/resources';
import { useQuery } from '@tanstack/react-query';
import { apiOf, type Ledger } from '../api/client.ts';
import { keepPrevious, ledgerKey } from '../api/ledger-key.ts';
import { TYPING_MS } from '../api/tenants-found.ts';
import { useDebounced } from '../lib/debounced.ts';

const SHOWN_MAX = 20;
const Q_CHARS_MAX = 200;

export type Found = {
  readonly results: readonly SearchResult[];
  /** True while the results belong to an earlier typed text. */
  readonly isSearching: boolean;
  readonly error: unknown;
};

/** Returns the name of a tenant of a ledger; undefined until it is read, and for a deleted tenant. */
export function useTenantName(ledger: Ledger, id: string): string | undefined {
  const { data } = useQuery({
    queryKey: ledgerKey(ledger, 'tenants', id),
    queryFn: async () => await apiOf(ledger).tenants.get(id),
  });
  return data?.name;
}

/** Asks the server which things a text names in a ledger. Asks nothing before a text is typed. */
export function useFound(ledger: Ledger | null, typed: string): Found {
  const text = typed.trim().slice(0, Q_CHARS_MAX);
  const q = useDebounced(text, TYPING_MS);
  const isWanted = ledger !== null && q !== '';
  const { accountId = '', mode = 'test' } = ledger ?? {};
  const queryKey = ledgerKey({ accountId, mode }, 'search', q);
  const { data, error, isPlaceholderData, isPending } = useQuery({
    queryKey,
    queryFn: async () => (await apiOf({ accountId, mode }).search.find({ q, limit: SHOWN_MAX })).data,
    enabled: isWanted,
    ...keepPrevious(queryKey),
  });
  if (ledger === null || text === '') return { results: [], isSearching: false, error: null };
  const isOld = text !== q || isPlaceholderData || (isPending && error === null);
  return { results: data ?? [], isSearching: isOld, error };
}
