import type { Carriers } from '../../../carriers/ports/carrier.ts';
import type { Registered } from '../../../carriers/ports/outcome.ts';
import type { CampaignReview, RegistryPort } from '../../../carriers/ports/registry.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import type { TwoPhases } from '../../../http/writes/phases.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { chargeFee, FEE_MICROS, meterUsage, requireBalance } from '../../billing/index.ts';
import { emitEvent } from '../../events/index.ts';
import { getTenantForUpdate } from '../../tenants/index.ts';
import { getBrandForCampaign } from '../brands/get-brand.ts';
import { findBrandConnection } from '../brands/queries.ts';
import { type Registration, type RegistrationIntent, registrationSteps } from '../registration/registration.ts';
import { startCampaignMonths } from './campaign-months.ts';
import { getCampaign } from './get-campaign.ts';
import { insertCampaign, moveCampaign } from './queries.ts';
import { campaignMoves } from './rules.ts';
import type { Campaign, CreateCampaign } from './schema.ts';
import { statusChanged } from './status-changed.ts';

type CampaignContext = Pick<Context, 'db' | 'carriers'>;
type Steps = TwoPhases<RegistrationIntent<Campaign>, Registered, Campaign>;
type Creation = { readonly scope: Scope; readonly wanted: CreateCampaign };
type WithRegistration = { readonly registration: Registration<CampaignReview> };

/**
 * Returns the steps of creating a campaign that is submitted for review immediately. Errors: tenant_not_found,
 * tenant_restricted_key, brand_not_found, carrier_unavailable, brand_not_vetted, insufficient_balance.
 */
export function createCampaign(
  context: CampaignContext,
  { scope, wanted, registration }: Creation & WithRegistration,
): Steps {
  return registrationSteps(context, scope, registration, async (tx) => {
    const { row, registry } = await storeCampaign(context, tx, { scope, wanted });
    await chargeSubmission(tx, scope, row);
    return { row, ref: row.id, registry: registry as RegistryPort };
  });
}

/**
 * Stores a draft, which costs nothing. Errors: as `createCampaign`, except carrier_unavailable and
 * insufficient_balance.
 */
export async function draftCampaign(context: CampaignContext, tx: Tx, creation: Creation): Promise<Campaign> {
  return (await storeCampaign(context, tx, creation)).row;
}

async function storeCampaign(
  { carriers }: CampaignContext,
  tx: Tx,
  { scope, wanted }: Creation,
): Promise<{ row: Campaign; registry: RegistryPort | null }> {
  // Locks the tenant, so that a deleted tenant has no active campaign.
  const tenant = await getTenantForUpdate(tx, scope, wanted.tenant_id);
  const brand = await getBrandForCampaign(tx, scope, wanted.brand_id, tenant.id);
  const registry = wanted.draft ? null : await registryOf(carriers, tx, scope, brand.id);
  if (brand.status !== 'vetted') throw new ApiError('brand_not_vetted', { param: 'brand_id' });
  if (!wanted.draft) await requireBalance(tx, scope, 'registration');
  const row = await insertCampaign(tx, scope, {
    id: newId('campaign'),
    tenantId: tenant.id,
    brandId: brand.id,
    useCase: wanted.use_case,
    description: wanted.description,
    sampleMessages: wanted.sample_messages,
    optInDescription: wanted.opt_in_description,
    status: wanted.draft ? 'draft' : 'pending_review',
  });
  return { row, registry };
}

/**
 * Returns the steps of submitting a draft, or a rejected campaign again. Errors: campaign_not_found,
 * tenant_restricted_key, carrier_unavailable, insufficient_balance, review_not_pending (in another status).
 */
export function submitCampaign(
  context: CampaignContext,
  { scope, id, registration }: { readonly scope: Scope; readonly id: string } & WithRegistration,
): Steps {
  return registrationSteps(context, scope, registration, async (tx) => {
    const { status, brand_id: brandId } = await getCampaign(tx, scope, id);
    const registry = await registryOf(context.carriers, tx, scope, brandId);
    if (campaignMoves.submit.from.includes(status)) await requireBalance(tx, scope, 'registration');
    const moved = await moveCampaign(tx, scope, { id, input: 'submit' });
    if (moved === undefined) {
      throw new ApiError('review_not_pending', { message: 'Only a draft or a rejected campaign can be submitted.' });
    }
    await chargeSubmission(tx, scope, moved.campaign);
    await emitEvent(tx, scope.ledgerId, statusChanged(moved));
    return { row: moved.campaign, ref: moved.ref, registry };
  });
}

/** Returns the registry that has the brand. Error: carrier_unavailable. */
async function registryOf(carriers: Carriers, tx: Tx, scope: Scope, brandId: string): Promise<RegistryPort> {
  const connectionId = await findBrandConnection(tx, scope, brandId);
  carriers.requireOpen('registry', scope, connectionId);
  return carriers.registry(scope, connectionId);
}

/** Charges the setup fee, once for all submissions of a campaign, and the current month. */
async function chargeSubmission(tx: Tx, scope: Scope, { id, tenant_id: tenantId }: Campaign): Promise<void> {
  await meterUsage(tx, scope.ledgerId, [{ kind: 'campaign_setup', tenantId, quantity: 1, reference: id }]);
  await chargeFee(tx, scope, {
    kind: 'campaign_setup',
    amountMicros: FEE_MICROS.campaign_setup,
    reference: `campaign_setup:${id}`,
    description: `Setup of campaign ${id}`,
  });
  await startCampaignMonths(tx, scope, id);
}
