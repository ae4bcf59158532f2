import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { fieldError, refuseFields } from '../../../lib/errors/field-errors.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { getTenantForUpdate } from '../../tenants/index.ts';
import { findCampaign } from '../campaigns/queries.ts';
import { withUrl } from './get-form.ts';
import { insertForm } from './queries.ts';
import { DEFAULT_COLOR, defaultConsentText, makeSlug, webAddress } from './rules.ts';
import type { CreateOptInForm, OptInForm, UpdateOptInForm } from './schema.ts';

/**
 * Publishes a form that has been checked (`checkAddresses`). Errors: tenant_not_found, tenant_restricted_key,
 * campaign_not_found.
 */
export async function createForm(
  context: Pick<Context, 'settings'>,
  tx: Tx,
  scope: Scope,
  wanted: CreateOptInForm,
): Promise<OptInForm> {
  const { name, campaign_id = null, terms_url, privacy_url, logo_url } = wanted;
  // Locks the tenant, so that a tenant deleted concurrently has no page.
  const tenant = await getTenantForUpdate(tx, scope, wanted.tenant_id);
  const useCase = await checkCampaign(tx, scope, tenant.id, campaign_id);
  const row = await insertForm(tx, scope, {
    id: newId('opt_in_form'),
    tenant_id: tenant.id,
    campaign_id,
    name,
    slug: makeSlug(name),
    consent_text: wanted.consent_text ?? defaultConsentText(tenant.sender_name, useCase),
    terms_url: storedAddress(terms_url),
    privacy_url: storedAddress(privacy_url),
    logo_url: storedAddress(logo_url),
    color: storedColor(wanted.color),
  });
  return withUrl(context, row);
}

/** Checks the addresses, whose form the schema does not check. Error: invalid_url. */
export function checkAddresses(wanted: Pick<UpdateOptInForm, 'terms_url' | 'privacy_url' | 'logo_url'>): void {
  const addresses = (['terms_url', 'privacy_url', 'logo_url'] as const).map((param) => ({ param, url: wanted[param] }));
  const wrong = addresses.filter(({ url = null }) => url !== null && webAddress(url) === undefined);
  refuseFields(wrong.map(({ param }) => fieldError(param, 'invalid_url')));
}

/** Returns a checked address as it is stored. */
export function storedAddress(url: string | null | undefined): string | null {
  return (url != null && webAddress(url)) || null;
}

export function storedColor(color: string | null | undefined): string {
  return (color ?? DEFAULT_COLOR).toLowerCase();
}

/** Returns the use case of the campaign, which must belong to the form's tenant. Error: campaign_not_found. */
export async function checkCampaign(
  tx: Tx,
  scope: Scope,
  tenantId: string,
  id: string | null,
): Promise<string | undefined> {
  if (id === null) return undefined;
  const campaign = await findCampaign(tx, scope, id);
  if (campaign?.tenant_id !== tenantId) throw new ApiError('campaign_not_found', { param: 'campaign_id' });
  return campaign.use_case;
}
