import type { OptOut } from '@dialplane/sdk/resources';
import type { Api } from '../../api/client.ts';

const LIFTABLE: readonly OptOut['source'][] = ['api', 'import'];

/** Tells whether the API may lift an opt-out. Those of other sources end only by the person's own START. */
export const isLiftable = ({ source }: OptOut) => LIFTABLE.includes(source);

const PAGE_ROWS = 100;
/** The API has no filter by the person. A tenant with more opt-outs has them read this far, newest first. */
const PAGES_MAX = 5;

/** Finds the opt-out of a person among the newest ones of a tenant; null if it is not among those. */
export async function findOptOut(api: Api, tenantId: string, externalNumber: string): Promise<OptOut | null> {
  let pages = 0;
  for await (const { data } of api.optOuts.list({ tenant_id: tenantId, limit: PAGE_ROWS }).pages()) {
    const found = data.find(({ external_number }) => external_number === externalNumber);
    if (found !== undefined) return found;
    pages += 1;
    if (pages === PAGES_MAX) break;
  }
  return null;
}
