import type { Carriers } from '../../../carriers/ports/carrier.ts';
import type { NumberOrder, NumbersPort } from '../../../carriers/ports/numbers.ts';
import type { Outcome } from '../../../carriers/ports/outcome.ts';
import type { NumberAssignment, RegistryPort } from '../../../carriers/ports/registry.ts';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import type { PendingAnswer, TwoPhases } from '../../../http/writes/phases.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { newId } from '../../../lib/ids.ts';
import { isDialable } from '../../../lib/phone/phone.ts';
import type { Scope } from '../../../lib/scope.ts';
import { cancelJobs, enqueue } from '../../../queue/jobs/enqueue.ts';
import { recordActions } from '../../audit/index.ts';
import { requireBalance } from '../../billing/index.ts';
import { getTenantForUpdate } from '../../tenants/index.ts';
import { assignmentFor } from '../campaign-assignments/assignment.ts';
import { orderJob, orderJobId } from './new-jobs.ts';
import { claimLiveNumber, insertPendingNumber } from './queries.ts';
import { checkReferences, type NumberReferences } from './references.ts';
import type { PhoneNumber, PurchaseNumber } from './schema.ts';
import { type Ordered, settleOrder } from './settle-order.ts';

type PurchaseContext = Pick<Context, 'carriers'>;
type Purchase = { readonly scope: Scope; readonly wanted: PurchaseNumber; readonly references: NumberReferences };
type OrderIntent = {
  readonly number: PhoneNumber;
  readonly order: NumberOrder;
  readonly carrier: NumbersPort;
  /** The campaign assignment to request once the order is accepted. */
  readonly then: { readonly registry: RegistryPort; readonly assignment: NumberAssignment } | null;
};

/** Checks that the number can be dialled, which the schema does not. Error: invalid_phone. */
export function checkPurchase({ phone_number }: PurchaseNumber): void {
  if (!isDialable(phone_number)) throw new ApiError('invalid_phone', { param: 'phone_number' });
}

/**
 * Returns the steps of a purchase that has been checked (`checkPurchase`). The number is stored as `pending` and
 * claimed before the order, so that only one of two buyers orders it at the carrier. An accepted order makes it
 * `active`; a refused order deletes it. Errors: tenant_not_found, tenant_restricted_key, carrier_unavailable,
 * routing_config_not_found, campaign_not_found, insufficient_balance, number_unavailable, carrier_assign_failed (the
 * tenant keeps the number).
 */
export function purchaseNumber(
  context: PurchaseContext,
  purchase: Purchase,
): TwoPhases<OrderIntent, Ordered, PhoneNumber> {
  const { scope } = purchase;
  return {
    begin: (tx, pending) => beginPurchase(context, tx, purchase, pending),
    ask: (intent) => orderAndAssign(scope, intent),
    settle: async (tx, { number }, outcome) => {
      const settlement = await settleOrder(tx, { ledger: scope, numberId: number.id, by: 'request' }, outcome);
      if (outcome.outcome !== 'unknown') await cancelJobs(tx, scope.ledgerId, [orderJobId(number.id)]);
      return settlement;
    },
  };
}

async function orderAndAssign(scope: Scope, { order, carrier, then }: OrderIntent): Promise<Outcome<Ordered>> {
  const outcome = await carrier.order(scope, order);
  if (outcome.outcome !== 'accepted') return outcome;
  if (then === null) return { ...outcome, assigned: null };
  const { registry, assignment } = then;
  return { ...outcome, assigned: { assignment, outcome: await registry.assignNumber(scope, assignment) } };
}

async function beginPurchase(
  { carriers }: PurchaseContext,
  tx: Tx,
  { scope, wanted, references }: Purchase,
  pending: PendingAnswer | null,
): Promise<OrderIntent> {
  const { phone_number: phoneNumber, routing_config_id = null, campaign_id = null } = wanted;
  // Locks the tenant, so that a concurrent deletion of it leaves no number behind.
  const tenant = await getTenantForUpdate(tx, scope, wanted.tenant_id);
  await checkReferences(tx, scope, references, { tenantId: tenant.id, routing_config_id, campaign_id });
  const connectionId = carriers.choose('numbers', scope);
  const assignment =
    campaign_id === null ? null : await assignmentFor(tx, scope, { phoneNumber, campaignId: campaign_id });
  const then = assignment === null ? null : { registry: registryOfTexts(carriers, scope), assignment };
  await requireBalance(tx, scope, 'registration');
  const number = await insertPendingNumber(tx, scope, {
    id: newId('phone_number'),
    tenantId: tenant.id,
    phoneNumber,
    routingConfigId: routing_config_id,
    campaignId: campaign_id,
    connectionId,
  });
  if (scope.mode === 'live') await claimLiveNumber(tx, scope, number);
  const details = { tenant_id: tenant.id, phone_number: phoneNumber };
  const { id: resourceId, tenant_id: tenantId } = number;
  await recordActions(tx, scope, [{ action: 'phone_number.ordered', resourceId, tenantId, details }]);
  await enqueue(tx, [orderJob(scope, number.id, pending)]);
  const order = { ref: number.id, phoneNumber, tenant: { id: tenant.id, name: tenant.name } };
  return { number, order, carrier: carriers.numbers(scope, connectionId), then };
}

/** Returns the registry that assigns a new number: the registry of the connection that carries its texts. */
function registryOfTexts(carriers: Carriers, scope: Scope): RegistryPort {
  return carriers.registry(scope, carriers.choose('messaging', scope));
}
