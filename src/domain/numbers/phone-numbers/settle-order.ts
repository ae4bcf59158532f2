import type { OrderedNumber, Outcome } from '../../../carriers/port.ts';
import type { Tx } from '../../../db/database.ts';
import type { Settlement } from '../../../http/two-phase.ts';
import { enqueue } from '../../../jobs/enqueue.ts';
import { ApiError } from '../../../lib/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { emitEvents } from '../../events/index.ts';
import { releaseJob } from './job-names.ts';
import { activateNumber, findNumber, lockNumber, noteLateOrder, withdrawNumber } from './queries.ts';
import { releaseNumbers, statusChanged } from './release-number.ts';
import type { PhoneNumber } from './schema.ts';

export type OrderOutcome = Outcome<OrderedNumber>;

/** An order and who settles it: its own request, or later the reconciler, whose changes nobody has been told of. */
export type Order = { readonly ledger: Ledger; readonly numberId: string; readonly by: 'request' | 'reconciler' };

/**
 * Writes what became of an order. An accepted one makes the number active, or gives it back if it was released
 * meanwhile. A failed one is withdrawn without a trace by its request; the reconciler releases the number, which may
 * have been seen as pending since. `unknown` leaves the number pending.
 */
export async function settleOrder(tx: Tx, order: Order, outcome: OrderOutcome): Promise<Settlement<PhoneNumber>> {
  const { ledger, numberId, by } = order;
  await lockNumber(tx, ledger, numberId);
  if (outcome.outcome === 'accepted') await accept(tx, order, outcome);
  else if (outcome.outcome !== 'unknown') {
    if (by === 'request') await withdrawNumber(tx, ledger, numberId);
    else await releaseNumbers(tx, ledger, { id: numberId });
    return { refusal: refusalOf(outcome) };
  }
  const number = await findNumber(tx, ledger, numberId);
  return number === undefined ? { refusal: refusalOf({ outcome: 'rejected' }) } : { result: number };
}

async function accept(tx: Tx, { ledger, numberId, by }: Order, ordered: OrderedNumber): Promise<void> {
  const activated = await activateNumber(tx, ledger, numberId, ordered);
  if (activated !== undefined) {
    if (by === 'reconciler') await emitEvents(tx, ledger.ledgerId, [statusChanged(activated, 'pending')]);
  } else if (await noteLateOrder(tx, ledger, numberId, ordered.carrierRef)) {
    await enqueue(tx, [releaseJob(ledger, numberId)]);
  }
}

const RETRY_AFTER_S = 5;

function refusalOf(outcome: { outcome: 'rejected' } | { outcome: 'unavailable'; retryAfterMs?: number }): ApiError {
  if (outcome.outcome === 'rejected') return new ApiError('number_unavailable', { param: 'phone_number' });
  const { retryAfterMs } = outcome;
  const retryAfterS = retryAfterMs === undefined ? RETRY_AFTER_S : Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new ApiError('carrier_unavailable', { retryAfterS });
}
