import { useRead } from '../api/queries.ts';

const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the zone of a tenant; that of this browser without one, and until the tenant is read. */
export function useZone(tenantId: string | null | undefined): { name: string } {
  const { data } = useRead(['tenants', tenantId], (api) => api.tenants.get(tenantId as string), {
    enabled: typeof tenantId === 'string',
  });
  return { name: data?.timezone ?? OWN_ZONE };
}
