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
 * The steps of a new port-in, a draft of numbers that can all be ported.
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
      // Locked, so that a tenant being deleted cannot be left with a port-in.
      const tenant = await getTenantForUpdate(tx, scope, tenant_id);
      requirePortable(verdicts);
      const id = newId('port_in');
      const sealed = pin === null ? null : sealPin(context.cipher, scope, id, pin);
      return insertPortIn(tx, scope, { ...details, id, tenantId: tenant.id, pin: sealed });
    },
  };
}
