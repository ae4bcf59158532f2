import type { Registered } from '../../../carriers/ports/outcome.ts';
import type { BrandReview } from '../../../carriers/ports/registry.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import type { TwoPhases } from '../../../http/writes/phases.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { chargeFee, FEE_MICROS, meterUsage, requireBalance } from '../../billing/index.ts';
import { rememberTrace } from '../../events/index.ts';
import { getTenantForUpdate } from '../../tenants/index.ts';
import { type Registration, type RegistrationIntent, registrationSteps } from '../registration/registration.ts';
import { insertBrand } from './queries.ts';
import { einContext, einDigits } from './rules.ts';
import type { Brand, CreateBrand } from './schema.ts';

type BrandContext = Pick<Context, 'db' | 'cipher' | 'carriers'>;
type Creation = {
  readonly scope: Scope;
  readonly wanted: CreateBrand;
  readonly registration: Registration<BrandReview>;
};

/**
 * Returns the steps of creating a brand: it is stored as `pending_vetting`, then submitted to the registry. A key of
 * one tenant creates brands of its tenant only. Errors: key_not_permitted, tenant_not_found, tenant_restricted_key,
 * carrier_unavailable, insufficient_balance.
 */
export function createBrand(
  context: BrandContext,
  { scope, wanted, registration }: Creation,
): TwoPhases<RegistrationIntent<Brand>, Registered, Brand> {
  return registrationSteps(context, scope, registration, (tx) => storeBrand(context, tx, scope, wanted));
}

async function storeBrand(
  { cipher, carriers }: BrandContext,
  tx: Tx,
  scope: Scope,
  wanted: CreateBrand,
): Promise<RegistrationIntent<Brand>> {
  const tenantId = wanted.tenant_id ?? null;
  if (tenantId === null && scope.tenantId !== null) throw new ApiError('key_not_permitted');
  // Locks the tenant, so that a deleted tenant has no brand in vetting.
  if (tenantId !== null) await getTenantForUpdate(tx, scope, tenantId);
  const connectionId = carriers.choose('registry', scope);
  await requireBalance(tx, scope, 'registration');
  const id = newId('brand');
  const ein = wanted.ein ? einDigits(wanted.ein) : null;
  const row = await insertBrand(tx, scope, {
    id,
    tenantId,
    legalName: wanted.legal_name,
    dba: wanted.dba ?? null,
    ein: ein === null ? null : cipher.encrypt(ein, einContext(scope.ledgerId, id)),
    einLast4: ein?.slice(-4) ?? null,
    entityType: wanted.entity_type,
    website: wanted.website ?? null,
    contactEmail: wanted.contact_email,
    phone: wanted.phone,
    street: wanted.street,
    city: wanted.city,
    state: wanted.state.toUpperCase(),
    postalCode: wanted.postal_code,
    connectionId,
  });
  await meterUsage(tx, scope.ledgerId, [{ kind: 'brand_registration', tenantId, quantity: 1, reference: id }]);
  await chargeFee(tx, scope, {
    kind: 'brand_registration',
    amountMicros: FEE_MICROS.brand_registration,
    reference: `brand_registration:${id}`,
    description: `Registration of brand ${id}`,
  });
  // The vetting ends later. Its event gets the trace of this request.
  await rememberTrace(tx, scope.ledgerId, id);
  return { row, ref: id, registry: carriers.registry(scope, connectionId) };
}
