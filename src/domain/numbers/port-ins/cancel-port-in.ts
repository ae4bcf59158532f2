import type { Outcome } from '../../../carriers/ports/outcome.ts';
import type { Context, TeardownStep } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import type { PendingAnswer, Settlement, TwoPhases } from '../../../http/writes/phases.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { canMove } from '../../../lib/machine.ts';
import { type Ledger, type Scope, visible } from '../../../lib/scope.ts';
import { cancelJobs, enqueue } from '../../../queue/jobs/enqueue.ts';
import { emitEvent } from '../../events/index.ts';
import { carrierUnavailable } from '../carrier-errors.ts';
import { expireDocuments } from '../port-in-documents/delete-documents.ts';
import { cancelJob, immediateCancelJob } from './new-jobs.ts';
import { lockOpenPortIns, lockPortIn, movePortIn } from './queries.ts';
import { customerMachine, OPEN_STATUSES } from './rules.ts';
import { type PortIn, portInStatusChanged } from './schema.ts';

type Intent = {
  /** Cancels the port-in at the carrier, if it was ever submitted there. */
  ask(): Promise<Outcome<object>>;
  /** The job that finishes the cancellation after a crash. */
  readonly jobId: string;
};

/**
 * Returns the steps of a cancellation. The carrier decides, because the losing carrier may have confirmed a moment
 * before. A cancelled port-in is returned unchanged. Errors: port_in_not_found, tenant_restricted_key,
 * carrier_unavailable, port_in_not_cancellable.
 */
export function cancelPortIn(
  context: Pick<Context, 'carriers'>,
  scope: Scope,
  id: string,
): TwoPhases<Intent, object, PortIn> {
  return {
    begin: (tx, pending) => beginCancel(context, tx, { scope, id, pending }),
    ask: (intent) => intent.ask(),
    settle: async (tx, { jobId }, outcome) => {
      if (outcome.outcome !== 'unknown') await cancelJobs(tx, scope.ledgerId, [jobId]);
      return settleCancel(tx, scope, id, outcome);
    },
  };
}

async function beginCancel(
  { carriers }: Pick<Context, 'carriers'>,
  tx: Tx,
  { scope, id, pending }: { scope: Scope; id: string; pending: PendingAnswer | null },
): Promise<Intent> {
  const whole = await lockPortIn(tx, scope, id);
  const portIn = visible(scope, whole?.portIn, 'port_in_not_found');
  const isCancelled = portIn.status === 'cancelled';
  if (!isCancelled && !canMove(customerMachine, portIn.status, 'cancelled')) {
    throw new ApiError('port_in_not_cancellable');
  }
  const isSubmitted = (whole?.hidden.attempt ?? 0) > 0;
  const connectionId = whole?.hidden.connectionId ?? null;
  const carrier = isCancelled || !isSubmitted ? undefined : carriers.porting(scope, connectionId);
  // A draft is cancelled in this transaction, so that it cannot be submitted before the second one.
  if (!isSubmitted) await settleCancel(tx, scope, id, { outcome: 'accepted' });
  const job = cancelJob(scope, id, pending);
  await enqueue(tx, [job]);
  return { ask: async () => carrier?.cancelPortIn(scope, id) ?? { outcome: 'accepted' }, jobId: job.id };
}

/** Records the carrier's answer to a cancellation. `unknown` leaves the status unchanged. */
export async function settleCancel(
  tx: Tx,
  ledger: Ledger,
  id: string,
  outcome: Outcome<object>,
): Promise<Settlement<PortIn>> {
  const before = (await lockPortIn(tx, ledger, id))?.portIn;
  if (before === undefined) return { refusal: new ApiError('port_in_not_found') };
  if (outcome.outcome === 'unknown' || before.status === 'cancelled') return { result: before };
  if (outcome.outcome === 'rejected') return { refusal: new ApiError('port_in_not_cancellable') };
  if (outcome.outcome === 'unavailable') return { refusal: carrierUnavailable(outcome) };
  const moved = await movePortIn(tx, ledger, { id, to: 'cancelled', from: OPEN_STATUSES });
  if (moved === undefined) return { refusal: new ApiError('port_in_not_cancellable') };
  await emitEvent(tx, ledger.ledgerId, portInStatusChanged(moved, before.status));
  await expireDocuments(tx, ledger, id);
  return { result: moved };
}

/**
 * Cancels every open port-in of a tenant that is being deleted, even one with a confirmed date: no tenant remains to
 * receive its numbers. Runs before the release of the tenant's numbers, so that a port-in that completes concurrently
 * leaves no number behind.
 */
export const cancelTenantPortIns: TeardownStep = async (tx, scope, tenantId) => {
  const open = await lockOpenPortIns(tx, scope, tenantId);
  for (const { portIn } of open) await settleCancel(tx, scope, portIn.id, { outcome: 'accepted' });
  const submitted = open.filter(({ hidden }) => hidden.attempt > 0);
  await enqueue(
    tx,
    submitted.map(({ portIn }) => immediateCancelJob(scope, portIn.id)),
  );
};
