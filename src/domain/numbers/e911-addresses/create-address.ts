import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { AddressFault, E911Port, EmergencyAddress } from '../../../carriers/ports/e911.ts';
import type { Registered } from '../../../carriers/ports/outcome.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import type { PendingAnswer, TwoPhases } from '../../../http/writes/phases.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { cancelJobs, enqueue } from '../../../queue/jobs/enqueue.ts';
import { getTenantForUpdate } from '../../tenants/index.ts';
import { registerJob, registerJobId } from './new-jobs.ts';
import { insertPendingAddress } from './queries.ts';
import type { CreateE911Address, E911Address } from './schema.ts';
import { settleAddress } from './settle-address.ts';

type CreateContext = Pick<Context, 'carriers'>;
type Intent = {
  readonly id: string;
  readonly address: EmergencyAddress;
  readonly carrier: E911Port;
  readonly connectionId: ConnectionId;
};
type Refusal = { readonly suggestions: readonly EmergencyAddress[] };

/**
 * Returns the steps that create an emergency address. It is stored as `pending` and the carrier validates it. A valid
 * address becomes `validated` and is attached to the tenant's numbers without one; a refused address is deleted.
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
    settle: async (tx, { id, connectionId }, outcome) => {
      // In the type of the steps the reason is a text; this port returns an AddressFault.
      const answer = outcome as typeof outcome & { reason: AddressFault };
      const settlement = await settleAddress(tx, { ledger: scope, addressId: id, connectionId, by: 'request' }, answer);
      if (outcome.outcome !== 'unknown') await cancelJobs(tx, scope.ledgerId, [registerJobId(id)]);
      return settlement;
    },
  };
}

async function beginCreate(
  { carriers }: CreateContext,
  tx: Tx,
  { scope, wanted, pending }: { scope: Scope; wanted: CreateE911Address; pending: PendingAnswer | null },
): Promise<Intent> {
  // Locks the tenant, so that a concurrent deletion of it leaves no address behind.
  const tenant = await getTenantForUpdate(tx, scope, wanted.tenant_id);
  const connectionId = carriers.choose('e911', scope);
  const { street, unit = null, city, state, postal_code } = wanted;
  const address: EmergencyAddress = { street, unit, city, state: state.toUpperCase(), postal_code };
  const made = { ...address, id: newId('e911_address'), tenantId: tenant.id, connectionId };
  const { id } = await insertPendingAddress(tx, scope, made);
  await enqueue(tx, [registerJob(scope, { addressId: id, address, connectionId, pending })]);
  return { id, address, carrier: carriers.e911(scope, connectionId), connectionId };
}
