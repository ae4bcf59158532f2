import type { Tenant } from '@dialplane/sdk/resources';
import { useDebounced } from '../lib/debounced.ts';
import { type List, useList } from './queries.ts';

/** The console asks the server after this pause in typing. */
export const TYPING_MS = 150;

/**
 * Reads the tenants whose names have words that begin with the typed words. The tenant with exactly the typed reference
 * comes first. If nothing is typed, reads all tenants, newest first. While it searches, the rows of the previous search
 * stay, so that no row disappears under a pointer that is about to choose it.
 */
export function useTenantsFound(typed: string): List<Tenant> {
  const q = useDebounced(typed.trim(), TYPING_MS);
  const named = useList(['tenants', 'found', q], (api, page) => api.tenants.list({ ...page, ...(q !== '' && { q }) }), {
    keepsPrevious: true,
  });
  const referred = useList(['tenants', 'of reference', q], (api) => api.tenants.list({ external_ref: q, limit: 1 }), {
    isEnabled: q !== '',
    keepsPrevious: true,
  });
  if (q === '') return named;
  const own = referred.rows.filter(({ id }) => named.rows.every((tenant) => tenant.id !== id));
  return {
    ...named,
    rows: [...own, ...named.rows],
    isLoading: named.isLoading || referred.isLoading,
    error: named.error ?? referred.error,
  };
}
