import type { Db } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { findBrand } from './queries.ts';
import type { Brand } from './schema.ts';

/**
 * Returns the brand if the key may see it. Only account-wide keys see the platform's own brand: a key of one tenant may
 * only name it in a campaign. Errors: brand_not_found, tenant_restricted_key, key_not_permitted.
 */
export async function getBrand(db: Db, scope: Scope, id: string): Promise<Brand> {
  const brand = await findBrand(db, scope, id);
  if (brand?.tenant_id === null && scope.tenantId !== null) throw new ApiError('key_not_permitted');
  return visible(scope, brand, 'brand_not_found');
}

/** Returns a brand that a tenant may use in a campaign: its own, or the platform's. Error: brand_not_found. */
export async function getBrandForCampaign(db: Db, scope: Scope, id: string, tenantId: string): Promise<Brand> {
  const brand = await findBrand(db, scope, id);
  if (brand === undefined || (brand.tenant_id !== null && brand.tenant_id !== tenantId)) {
    throw new ApiError('brand_not_found', { param: 'brand_id' });
  }
  return brand;
}
