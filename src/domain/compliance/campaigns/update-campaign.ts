import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Scope } from '../../../lib/scope.ts';
import { getTenant } from '../../tenants/index.ts';
import { getBrandForCampaign } from '../brands/get-brand.ts';
import { getCampaign } from './get-campaign.ts';
import { updateCampaignRow } from './queries.ts';
import { EDITABLE_STATES } from './rules.ts';
import type { Campaign, UpdateCampaign } from './schema.ts';

/**
 * Changes the given fields of a draft or of a rejected campaign. Its status stays: submitting it is a separate step.
 * Errors: campaign_not_found, tenant_restricted_key, tenant_not_found, invalid_body (another tenant), brand_not_found,
 * campaign_not_editable, brand_not_vetted.
 */
export async function updateCampaign(
  tx: Tx,
  scope: Scope,
  { id, change }: { readonly id: string; readonly change: UpdateCampaign },
): Promise<Campaign> {
  const { tenant_id, brand_id, use_case, description, sample_messages, opt_in_description } = change;
  const campaign = await getCampaign(tx, scope, id);
  if (tenant_id !== undefined && (await getTenant(tx, scope, tenant_id)).id !== campaign.tenant_id) {
    throw new ApiError('invalid_body', { param: 'tenant_id', message: 'A campaign stays with its tenant.' });
  }
  const brand = brand_id === undefined ? undefined : await getBrandForCampaign(tx, scope, brand_id, campaign.tenant_id);
  if (!EDITABLE_STATES.includes(campaign.status)) throw new ApiError('campaign_not_editable');
  if (brand !== undefined && brand.status !== 'vetted') throw new ApiError('brand_not_vetted', { param: 'brand_id' });
  const changed = await updateCampaignRow(tx, scope, id, {
    brandId: brand_id,
    useCase: use_case,
    description,
    sampleMessages: sample_messages,
    optInDescription: opt_in_description,
  });
  // The campaign was submitted, or its tenant deleted, while this request ran.
  if (changed === undefined) throw new ApiError('campaign_not_editable');
  return changed;
}
