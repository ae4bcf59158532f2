import type { OrderedNumber } from '../../../carriers/ports/numbers.ts';
import type { Outcome } from '../../../carriers/ports/outcome.ts';
import type { NumberAssignment } from '../../../carriers/ports/registry.ts';
import type { Tx } from '../../../db/database.ts';
import type { Settlement } from '../../../http/writes/phases.ts';
import { ApiError } from '../../../lib/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import { emitEvents } from '../../events/index.ts';
import { assignFailed } from '../campaign-assignments/assignment.ts';
import { assignmentJob } from '../campaign-assignments/assignment-job.ts';
import { releaseJob } from './job-names.ts';
import { startNumberMonths } from './number-months.ts';
import { activateNumber, findNumber, lockNumber, noteLateOrder, updateNumberRow, withdrawNumber } from './queries.ts';
import { releaseNumbers, statusChanged } from './release-number.ts';
import type { PhoneNumber } from './schema.ts';

/** What came of registering the number to the campaign it was bought for. */
export type AssignmentOutcome = { readonly assignment: NumberAssignment; readonly outcome: Outcome<object> };

/** `assigned` is null where the carrier was not asked to register the number to a campaign. */
export type Ordered = OrderedNumber & { readonly assigned: AssignmentOutcome | null };
export type OrderOutcome = Outcome<Ordered>;

/** An order and who settles it: its own request, or later the reconciler, whose changes nobody has been told of. */
export type Order = { readonly ledger: Ledger; readonly numberId: string; readonly by: 'request' | 'reconciler' };

/**
 * Writes what became of an order. An accepted one makes the number active, or gives it back if it was released
 * meanwhile. A failed one is withdrawn without a trace by its request; the reconciler releases the number, which may
 * have been seen as pending since. `unknown` leaves the number pending. A number that could not be registered to its
 * campaign is kept without one, and its request is told so.
 */
export async function settleOrder(tx: Tx, order: Order, outcome: OrderOutcome): Promise<Settlement<PhoneNumber>> {
  const { ledger, numberId, by } = order;
  await lockNumber(tx, ledger, numberId);
  if (outcome.outcome === 'rejected' || outcome.outcome === 'unavailable') {
    if (by === 'request') await withdrawNumber(tx, ledger, numberId);
    else await releaseNumbers(tx, ledger, { id: numberId });
    return { refusal: refusalOf(outcome) };
  }
  const isComplete = outcome.outcome === 'unknown' || (await accept(tx, order, outcome));
  const number = await findNumber(tx, ledger, numberId);
  if (number === undefined) return { refusal: refusalOf({ outcome: 'rejected' }) };
  return isComplete ? { result: number } : { result: number, failure: assignFailed() };
}

/** @returns false if the number has come but could not be registered to its campaign */
async function accept(tx: Tx, { ledger, numberId, by }: Order, ordered: Ordered): Promise<boolean> {
  const activated = await activateNumber(tx, ledger, numberId, ordered);
  if (activated === undefined) {
    if (await noteLateOrder(tx, ledger, numberId, ordered.carrierRef)) {
      await enqueue(tx, [releaseJob(ledger, numberId)]);
    }
    return true;
  }
  await startNumberMonths(tx, ledger, [activated]);
  const isComplete = await settleAssignment(tx, ledger, activated, ordered.assigned);
  if (by === 'reconciler') {
    const number = isComplete ? activated : { ...activated, campaign_id: null, messaging_ready: false };
    await emitEvents(tx, ledger.ledgerId, [statusChanged(number, 'pending')]);
  }
  return isComplete;
}

/** Detaches the campaign if the carrier would not have the number in it; true where that is as wanted. */
async function settleAssignment(
  tx: Tx,
  ledger: Ledger,
  number: PhoneNumber,
  assigned: AssignmentOutcome | null,
): Promise<boolean> {
  const isAsWanted = number.campaign_id === (assigned?.assignment.campaignRef ?? null);
  if (isAsWanted && (assigned === null || assigned.outcome.outcome === 'accepted')) return true;
  // Attached, detached or changed while the order was under way, or the answer was lost.
  if (!isAsWanted || assigned?.outcome.outcome === 'unknown') await enqueue(tx, [assignmentJob(ledger, number.id)]);
  if (!isAsWanted) return true;
  await updateNumberRow(tx, ledger, { ...number, campaign_id: null });
  return false;
}

const RETRY_AFTER_S = 5;

function refusalOf(outcome: { outcome: 'rejected' } | { outcome: 'unavailable'; retryAfterMs?: number }): ApiError {
  if (outcome.outcome === 'rejected') return new ApiError('number_unavailable', { param: 'phone_number' });
  const { retryAfterMs } = outcome;
  const retryAfterS = retryAfterMs === undefined ? RETRY_AFTER_S : Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new ApiError('carrier_unavailable', { retryAfterS });
}
