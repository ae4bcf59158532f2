import type { Db } from '../../../db/database.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import type { FindReferenced } from '../phone-numbers/references.ts';
import { findAddress } from './queries.ts';
import type { E911Address } from './schema.ts';

/** The address, if the key may see it. Errors: e911_address_not_found, tenant_restricted_key. */
export async function getAddress(db: Db, scope: Scope, id: string): Promise<E911Address> {
  return visible(scope, await findAddress(db, scope, id), 'e911_address_not_found');
}

/** The address that a number is to be registered at: only a validated one can be. */
export const findAttachable: FindReferenced = async (db, ledger, id) => {
  const address = await findAddress(db, ledger, id);
  return address?.status === 'validated' ? address : undefined;
};
