import type { Portability } from '../../../carriers/ports/porting.ts';
import type { Context } from '../../../context.ts';
import type { PreparedPhases } from '../../../http/writes/phases.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { getTenant, getTenantForUpdate } from '../../tenants/index.ts';
import { checkPortability, requirePortable } from './check-portability.ts';
import { sealPin } from './pin.ts';
import { insertPortIn } from './queries.ts';
import type { CreatePortIn, PortIn } from './schema.ts';

/**
 * Returns the steps that create a port-in: a draft whose numbers can all be ported.
 * Errors: tenant_not_found, tenant_restricted_key, carrier_unavailable, numbers_not_portable.
 */
export function createPortIn(
  context: Pick<Context, 'db' | 'cipher' | 'carriers'>,
  scope: Scope,
  wanted: CreatePortIn,
): PreparedPhases<readonly Portability[], PortIn> {
  const { tenant_id, pin = null, ...details } = wanted;
  return {
    prepare: async () => {
      await getTenant(context.db, scope, tenant_id);
      return checkPortability(context, scope, { phoneNumbers: wanted.phone_numbers });
    },
    commit: async (tx, verdicts) => {
      // Locks the tenant, so that a concurrent deletion of it leaves no port-in behind.
      const tenant = await getTenantForUpdate(tx, scope, tenant_id);
      requirePortable(verdicts);
      const id = newId('port_in');
      const sealed = pin === null ? null : sealPin(context.cipher, scope, id, pin);
      return insertPortIn(tx, scope, { ...details, id, tenantId: tenant.id, pin: sealed });
    },
  };
}
