import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { getTenant } from '../../tenants/index.ts';
import { checkCampaign, storedAddress, storedColor } from './create-form.ts';
import { withUrl } from './get-form.ts';
import { lockForm, updateFormRow } from './queries.ts';
import { defaultConsentText } from './rules.ts';
import type { OptInForm, UpdateOptInForm } from './schema.ts';

/**
 * Changes the given fields of a form that has been checked (`checkAddresses`); null sets the default of a creation. The
 * address does not change. Submissions keep the text that the person saw. Errors: opt_in_form_not_found,
 * tenant_restricted_key, campaign_not_found.
 */
export async function updateForm(
  context: Pick<Context, 'settings'>,
  tx: Tx,
  scope: Scope,
  { id, change }: { readonly id: string; readonly change: UpdateOptInForm },
): Promise<OptInForm> {
  const { deleted, ...form } = visible(scope, await lockForm(tx, scope, id), 'opt_in_form_not_found');
  if (deleted) throw new ApiError('opt_in_form_not_found');
  const campaign_id = change.campaign_id === undefined ? form.campaign_id : change.campaign_id;
  const useCase = await checkCampaign(tx, scope, form.tenant_id, campaign_id);
  const makeText = async () => {
    const tenant = await getTenant(tx, scope, form.tenant_id);
    return defaultConsentText(tenant.sender_name, useCase);
  };
  const { name, consent_text, terms_url, privacy_url, logo_url, color } = change;
  const row = await updateFormRow(tx, scope, {
    ...form,
    campaign_id,
    name: name ?? form.name,
    consent_text: consent_text === undefined ? form.consent_text : (consent_text ?? (await makeText())),
    terms_url: terms_url === undefined ? form.terms_url : storedAddress(terms_url),
    privacy_url: privacy_url === undefined ? form.privacy_url : storedAddress(privacy_url),
    logo_url: logo_url === undefined ? form.logo_url : storedAddress(logo_url),
    color: color === undefined ? form.color : storedColor(color),
  });
  return withUrl(context, row);
}
