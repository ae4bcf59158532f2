import { useList } from './queries.ts';

/** Reads the web clients of a tenant. Pickers and notices share one list. */
export function useWebClients(tenantId: string) {
  return useList(['web_clients', 'of', tenantId], (api, page) => api.webClients.list({ ...page, tenant_id: tenantId }));
}

/** The telephones of a tenant at SIP engines. Test mode has none. */
export function useSipPhones(tenantId: string, options: { isEnabled?: boolean } = {}) {
  return useList(
    ['sip_phones', 'of', tenantId],
    (api, page) => api.sipPhones.list({ ...page, tenant_id: tenantId }),
    options,
  );
}
