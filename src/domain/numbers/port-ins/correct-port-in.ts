import type { Portability } from '../../../carriers/ports/porting.ts';
import type { Context } from '../../../context.ts';
import type { PreparedPhases } from '../../../http/writes/phases.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { checkPortability, requirePortable } from './check-portability.ts';
import { sealPin } from './pin.ts';
import { getPortIn, lockPortIn, updatePortInRow } from './queries.ts';
import { CORRECTABLE_STATUSES } from './rules.ts';
import type { PortIn, UpdatePortIn } from './schema.ts';

/**
 * Returns the steps of a correction. Absent fields stay; a `pin` of null deletes the stored PIN.
 * Errors: port_in_not_found, tenant_restricted_key, port_in_not_submittable, carrier_unavailable,
 * numbers_not_portable.
 */
export function correctPortIn(
  context: Pick<Context, 'db' | 'cipher' | 'carriers'>,
  scope: Scope,
  { id, change }: { readonly id: string; readonly change: UpdatePortIn },
): PreparedPhases<readonly Portability[], PortIn> {
  const { pin, ...details } = change;
  return {
    prepare: async () => {
      requireCorrectable(await getPortIn(context.db, scope, id));
      const { phone_numbers: phoneNumbers } = change;
      return phoneNumbers === undefined ? [] : checkPortability(context, scope, { phoneNumbers, except: id });
    },
    commit: async (tx, verdicts) => {
      const whole = await lockPortIn(tx, scope, id);
      const portIn = visible(scope, whole?.portIn, 'port_in_not_found');
      requireCorrectable(portIn);
      requirePortable(verdicts);
      const kept = whole?.hidden.pin ?? null;
      const sealed = typeof pin === 'string' ? sealPin(context.cipher, scope, id, pin) : pin === null ? null : kept;
      return updatePortInRow(tx, scope, id, { ...portIn, ...details, pin: sealed });
    },
  };
}

/** Refuses a port-in whose details and documents can no longer change. Error: port_in_not_submittable. */
export function requireCorrectable({ status }: PortIn): void {
  if (!CORRECTABLE_STATUSES.includes(status)) throw new ApiError('port_in_not_submittable');
}
