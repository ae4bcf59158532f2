import type { Db } from '../../../db/database.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { findRoutingConfig } from './queries.ts';
import type { RoutingConfig } from './schema.ts';

/** The config, if the key may see it. Errors: routing_config_not_found, tenant_restricted_key. */
export async function getRoutingConfig(db: Db, scope: Scope, id: string): Promise<RoutingConfig> {
  return visible(scope, await findRoutingConfig(db, scope, id), 'routing_config_not_found');
}
