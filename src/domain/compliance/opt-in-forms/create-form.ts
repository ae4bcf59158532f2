import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { getTenantForUpdate } from '../../tenants/index.ts';
import { findCampaign } from '../campaigns/queries.ts';
import { withUrl } from './get-form.ts';
import { insertForm } from './queries.ts';
import { DEFAULT_COLOR, defaultConsentText, makeSlug, webAddress } from './rules.ts';
import type { CreateOptInForm, OptInForm } from './schema.ts';

/** Publishes a form. Errors: tenant_not_found, tenant_restricted_key, campaign_not_found, invalid_url. */
export async function createForm(
  context: Pick<Context, 'settings'>,
  tx: Tx,
  scope: Scope,
  wanted: CreateOptInForm,
): Promise<OptInForm> {
  const addresses = checkAddresses(wanted);
  // Locks the tenant, so that a tenant deleted concurrently has no page.
  const tenant = await getTenantForUpdate(tx, scope, wanted.tenant_id);
  const useCase = await checkCampaign(tx, scope, tenant.id, wanted.campaign_id ?? null);
  const row = await insertForm(tx, scope, {
    id: newId('opt_in_form'),
    tenant_id: tenant.id,
    campaign_id: wanted.campaign_id ?? null,
    name: wanted.name,
    slug: makeSlug(wanted.name),
    consent_text: wanted.consent_text ?? defaultConsentText(tenant.name, useCase),
    ...addresses,
    color: (wanted.color ?? DEFAULT_COLOR).toLowerCase(),
  });
  return withUrl(context, row);
}

type Address = 'terms_url' | 'privacy_url' | 'logo_url';

function checkAddresses(wanted: CreateOptInForm): Record<Address, string | null> {
  const check = (param: Address): string | null => {
    const text = wanted[param] ?? null;
    const address = text === null ? null : webAddress(text);
    if (address === undefined) throw new ApiError('invalid_url', { param });
    return address;
  };
  return { terms_url: check('terms_url'), privacy_url: check('privacy_url'), logo_url: check('logo_url') };
}

/** Returns the use case of the campaign, which must belong to the form's tenant. */
async function checkCampaign(tx: Tx, scope: Scope, tenantId: string, id: string | null): Promise<string | undefined> {
  if (id === null) return undefined;
  const campaign = await findCampaign(tx, scope, id);
  if (campaign?.tenant_id !== tenantId) throw new ApiError('campaign_not_found', { param: 'campaign_id' });
  return campaign.use_case;
}
