import type { Context } from '../../../context.ts';
import type { Scope } from '../../../lib/scope.ts';
import { getTenant } from '../../tenants/index.ts';
import { getBrand, getBrandForCampaign } from '../brands/get-brand.ts';
import { lintCampaign } from './lint.ts';
import type { CheckCampaign, Finding } from './schema.ts';

/**
 * Returns a reviewer's likely objections to the texts of a campaign. With a brand, its names are searched for in the
 * samples. Errors: tenant_not_found, brand_not_found, tenant_restricted_key, key_not_permitted.
 */
export async function checkCampaign(
  { db }: Pick<Context, 'db'>,
  scope: Scope,
  wanted: CheckCampaign,
): Promise<{ findings: Finding[] }> {
  const { tenant_id, brand_id } = wanted;
  const tenantId = tenant_id === undefined ? scope.tenantId : (await getTenant(db, scope, tenant_id)).id;
  const brand =
    brand_id === undefined
      ? undefined
      : tenantId === null
        ? await getBrand(db, scope, brand_id)
        : await getBrandForCampaign(db, scope, brand_id, tenantId);
  const senders = brand === undefined ? [] : [brand.legal_name, brand.dba].filter((name) => name !== null);
  return { findings: lintCampaign({ ...wanted, senders }) };
}
