import type { AddressFault, E911Port, EmergencyAddress } from '../../../carriers/ports/e911.ts';
import type { Registered } from '../../../carriers/ports/outcome.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import type { PendingAnswer, TwoPhases } from '../../../http/writes/phases.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { cancelJobs, enqueue } from '../../../queue/jobs/enqueue.ts';
import { getTenantForUpdate } from '../../tenants/index.ts';
import { registerJob, registerJobName } from './job-names.ts';
import { insertPendingAddress } from './queries.ts';
import type { CreateE911Address, E911Address } from './schema.ts';
import { settleAddress } from './settle-address.ts';

type CreateContext = Pick<Context, 'carriers'>;
type Intent = { readonly id: string; readonly address: EmergencyAddress; readonly carrier: E911Port };
type Refusal = { readonly suggestions: readonly EmergencyAddress[] };

/**
 * The steps of a new emergency address: it is stored as `pending`, the carrier validates it, and with that outcome it
 * becomes `validated` and is given to the tenant's numbers that have none, or is taken away again.
 * Errors: tenant_not_found, tenant_restricted_key, carrier_unavailable, e911_address_invalid (with `suggestions`).
 */
export function createAddress(
  context: CreateContext,
  scope: Scope,
  wanted: CreateE911Address,
): TwoPhases<Intent, Registered, E911Address, Refusal> {
  return {
    begin: (tx, pending) => beginCreate(context, tx, { scope, wanted, pending }),
    ask: ({ id, address, carrier }) => carrier.registerAddress(scope, { ref: id, address }),
    settle: async (tx, { id }, outcome) => {
      // The port's words for what is wrong, which the steps know only as text.
      const answer = outcome as typeof outcome & { reason: AddressFault };
      const settlement = await settleAddress(tx, { ledger: scope, addressId: id, by: 'request' }, answer);
      if (outcome.outcome !== 'unknown') await cancelJobs(tx, scope.ledgerId, [registerJobName(id)]);
      return settlement;
    },
  };
}

async function beginCreate(
  { carriers }: CreateContext,
  tx: Tx,
  { scope, wanted, pending }: { scope: Scope; wanted: CreateE911Address; pending: PendingAnswer | null },
): Promise<Intent> {
  // Locked, so that a tenant being deleted cannot be left with an address.
  const tenant = await getTenantForUpdate(tx, scope, wanted.tenant_id);
  const carrier = carriers.e911(scope);
  const { street, unit = null, city, state, postal_code } = wanted;
  const address: EmergencyAddress = { street, unit, city, state: state.toUpperCase(), postal_code };
  const { id } = await insertPendingAddress(tx, scope, { ...address, id: newId('e911_address'), tenantId: tenant.id });
  await enqueue(tx, [registerJob(scope, { addressId: id, address, pending })]);
  return { id, address, carrier };
}
