import type { OrderedNumber } from '../../../carriers/ports/numbers.ts';
import type { Assigned, Outcome } from '../../../carriers/ports/outcome.ts';
import type { NumberAssignment } from '../../../carriers/ports/registry.ts';
import type { Tx } from '../../../db/database.ts';
import type { Settlement } from '../../../http/writes/phases.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import { emitEvents } from '../../events/index.ts';
import { settlePending } from '../campaign-assignments/attach-campaign.ts';
import { assignmentJob } from '../campaign-assignments/new-jobs.ts';
import { boughtWithoutCampaign, carrierUnavailable } from '../carrier-errors.ts';
import { releaseJob } from './new-jobs.ts';
import { startNumberMonths } from './number-months.ts';
import { activateNumber, findNumber, lockNumber, recordLateOrder, updateNumberRow, withdrawNumber } from './queries.ts';
import { releaseNumbers, statusChanged } from './release-number.ts';
import type { PhoneNumber } from './schema.ts';

/** The outcome of registering the number to the campaign it was bought for. */
export type AssignmentOutcome = { readonly assignment: NumberAssignment; readonly outcome: Outcome<Assigned> };

/** `assigned` is null if the carrier was not asked to register the number to a campaign. */
export type Ordered = OrderedNumber & { readonly assigned: AssignmentOutcome | null };
export type OrderOutcome = Outcome<Ordered>;

/**
 * An order, and the part of the program that settles it: its own request, or later the reconciler. No reply shows the
 * reconciler's changes, so it emits events.
 */
export type Order = { readonly ledger: Ledger; readonly numberId: string; readonly by: 'request' | 'reconciler' };

/**
 * Records the outcome of an order. An accepted order makes the number `active`, or queues its release at the carrier if
 * it has been released here. After a failed order the request deletes the number; the reconciler releases it, because
 * it may have been read as `pending`. `unknown` leaves the number `pending`. A number that could not be registered to
 * its campaign is kept without one; the request and its repeats get that error.
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
  return isComplete ? { result: number } : { failure: boughtWithoutCampaign(numberId) };
}

/** @returns false if the number was accepted but could not be registered to its campaign */
async function accept(tx: Tx, { ledger, numberId, by }: Order, ordered: Ordered): Promise<boolean> {
  const activated = await activateNumber(tx, ledger, numberId, ordered);
  if (activated === undefined) {
    if (await recordLateOrder(tx, ledger, numberId, ordered.carrierRef)) {
      await enqueue(tx, [releaseJob(ledger, numberId)]);
    }
    return true;
  }
  await startNumberMonths(tx, ledger, [activated]);
  const isComplete = await settleAssignment(tx, ledger, activated, ordered.assigned);
  if (by === 'reconciler') {
    const number = (await findNumber(tx, ledger, numberId)) ?? activated;
    await emitEvents(tx, ledger.ledgerId, [statusChanged(number, 'pending')]);
  }
  return isComplete;
}

/** Detaches the campaign if the carrier refused the number for it. Returns false in that case. */
async function settleAssignment(
  tx: Tx,
  ledger: Ledger,
  number: PhoneNumber,
  assigned: AssignmentOutcome | null,
): Promise<boolean> {
  const isAsWanted = number.campaign_id === (assigned?.assignment.campaignRef ?? null);
  if (isAsWanted && assigned?.outcome.outcome === 'accepted') {
    await settlePending(tx, ledger, number, assigned.outcome.pending === true);
    return true;
  }
  if (isAsWanted && assigned === null) return true;
  // The campaign was attached, detached or changed while the order was under way, or the answer was lost.
  if (!isAsWanted || assigned?.outcome.outcome === 'unknown') await enqueue(tx, [assignmentJob(ledger, number.id)]);
  if (!isAsWanted) return true;
  await updateNumberRow(tx, ledger, { ...number, campaign_id: null });
  return false;
}

function refusalOf(outcome: { outcome: 'rejected' } | { outcome: 'unavailable'; retryAfterMs?: number }): ApiError {
  if (outcome.outcome === 'unavailable') return carrierUnavailable(outcome);
  return new ApiError('number_unavailable', { param: 'phone_number' });
}
