import type { Tenant } from '@dialplane/sdk/resources';
import { useFilter } from 'react-aria-components/Autocomplete';
import { apiOf, type Ledger } from '../api/client.ts';
import { type List, ledgerKey, usePages } from '../api/queries.ts';
import { useReadOn } from '../ui/read-on.ts';

/** With more that have the name, the person types more of it. */
const SHOWN_MAX = 20;

/** Finds tenants of a ledger by a part of their name. Nothing is read before something is typed. */
export function useTenantsNamed(
  ledger: Ledger | null,
  typed: string,
): { tenants: readonly Tenant[]; isReading: boolean; error: List<Tenant>['error'] } {
  const name = typed.trim();
  const isWanted = ledger !== null && name !== '';
  const { contains } = useFilter({ sensitivity: 'base' });
  const { accountId = '', mode = 'test' } = ledger ?? {};
  const list = usePages<Tenant>(
    ledgerKey({ accountId, mode }, 'tenants'),
    (page) => apiOf({ accountId, mode }).tenants.list(page),
    { isEnabled: isWanted },
  );
  useReadOn(list, isWanted);
  if (!isWanted) return { tenants: [], isReading: false, error: null };
  return {
    tenants: list.rows.filter((tenant) => contains(tenant.name, name)).slice(0, SHOWN_MAX),
    isReading: list.isLoading || list.isLoadingMore,
    error: list.error,
  };
}
