import type { Db } from '../../../db/database.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { findPortIn } from './queries.ts';
import type { PortIn } from './schema.ts';

/** The port-in, if the key may see it. Errors: port_in_not_found, tenant_restricted_key. */
export async function getPortIn(db: Db, scope: Scope, id: string): Promise<PortIn> {
  return visible(scope, await findPortIn(db, scope, id), 'port_in_not_found');
}
