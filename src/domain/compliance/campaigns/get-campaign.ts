import type { Db } from '../../../db/database.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { findCampaign } from './queries.ts';
import type { Campaign } from './schema.ts';

/**
 * Returns the campaign if the key may see it; a deleted tenant's campaign stays readable. Errors: campaign_not_found,
 * tenant_restricted_key.
 */
export async function getCampaign(db: Db, scope: Scope, id: string): Promise<Campaign> {
  return visible(scope, await findCampaign(db, scope, id), 'campaign_not_found');
}
