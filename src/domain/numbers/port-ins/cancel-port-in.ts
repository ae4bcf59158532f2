import type { Outcome } from '../../../carriers/ports/outcome.ts';
import type { Context, TeardownStep } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import type { PendingAnswer, Settlement, TwoPhases } from '../../../http/writes/phases.ts';
import { ApiError } from '../../../lib/errors.ts';
import { canMove } from '../../../lib/machine.ts';
import { type Ledger, type Scope, visible } from '../../../lib/scope.ts';
import { cancelJobs, enqueue } from '../../../queue/jobs/enqueue.ts';
import { emitEvent } from '../../events/index.ts';
import { carrierAway } from '../carrier-away.ts';
import { cancelJob, tellCancelledJob } from './job-names.ts';
import { lockOpenPortIns, lockPortIn, movePortIn } from './queries.ts';
import { customerMachine, OPEN_STATUSES } from './rules.ts';
import type { PortIn } from './schema.ts';
import { portInStatusChanged } from './status-changed.ts';

type Intent = {
  /** Asks the carrier, where it has ever heard of the port-in. */
  ask(): Promise<Outcome<object>>;
  /** Of the job that finishes the cancellation after a crash. */
  readonly jobId: string;
};

/**
 * The steps of a cancellation. The carrier has the last word, for the losing carrier may just have confirmed. One that
 * is cancelled already is returned as it is.
 * Errors: port_in_not_found, tenant_restricted_key, carrier_unavailable, port_in_not_cancellable.
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
  const isKnown = (whole?.hidden.attempt ?? 0) > 0;
  const carrier = isCancelled || !isKnown ? undefined : carriers.porting(scope);
  // At once, so that a draft cannot be submitted between the two transactions.
  if (!isKnown) await settleCancel(tx, scope, id, { outcome: 'accepted' });
  const job = cancelJob(scope, id, pending);
  await enqueue(tx, [job]);
  return { ask: async () => carrier?.cancelPortIn(scope, id) ?? { outcome: 'accepted' }, jobId: job.id };
}

/** Writes what the carrier answered to a cancellation. `unknown` leaves the port-in where it is. */
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
  if (outcome.outcome === 'unavailable') return { refusal: carrierAway(outcome) };
  const moved = await movePortIn(tx, ledger, { id, to: 'cancelled', from: OPEN_STATUSES });
  if (moved === undefined) return { refusal: new ApiError('port_in_not_cancellable') };
  await emitEvent(tx, ledger.ledgerId, portInStatusChanged(moved, before.status));
  return { result: moved };
}

/**
 * Ends every open port-in of a tenant that is being deleted, also one whose date is confirmed: nobody is left to take
 * its numbers. It comes before the numbers are given back, so that one completing meanwhile leaves none behind.
 */
export const cancelTenantPortIns: TeardownStep = async (tx, scope, tenantId) => {
  const open = await lockOpenPortIns(tx, scope, tenantId);
  for (const { portIn } of open) await settleCancel(tx, scope, portIn.id, { outcome: 'accepted' });
  const known = open.filter(({ hidden }) => hidden.attempt > 0);
  await enqueue(
    tx,
    known.map(({ portIn }) => tellCancelledJob(scope, portIn.id)),
  );
};
