/** The progress of a port-in, derived from all of Telnyx's orders. */
import { isAlive, type PortingOrder } from './porting-orders.ts';

export type PortInProgress =
  | { readonly is: 'in_review' }
  | { readonly is: 'action_needed'; readonly detail: string }
  | { readonly is: 'cancelled'; readonly focDate: Date | null; readonly detail: string | null }
  | { readonly is: 'foc_confirmed' | 'ported'; readonly focDate: Date };

const CORRECT = 'The losing carrier asks for a correction.';
/** Statuses of an order with a confirmed date. Only one of Telnyx's pages names the last one. */
const SCHEDULED = new Set(['foc-date-confirmed', 'ported', 'activation-in-progress']);

/**
 * Reads the progress of a submission's numbers. The order with the worst status decides. Orders of numbers that the
 * customer has removed from the port-in do not count.
 * @param orders oldest first
 */
export function readProgress(orders: readonly PortingOrder[], phoneNumbers: readonly string[]): PortInProgress {
  const chosen = phoneNumbers.map((phoneNumber) => chooseOrder(orders, phoneNumber));
  const relevant = [...new Set(chosen)].filter((order) => order !== undefined);
  if (relevant.length === 0) return { is: 'in_review' };
  const ended = relevant.filter(({ status }) => status === 'cancelled');
  const detail = ended.flatMap(({ details }) => details).join(' ');
  if (ended.length === relevant.length) {
    return { is: 'cancelled', focDate: latest(relevant.map(({ focDate }) => focDate)), detail: detail || null };
  }
  const stopped = relevant.filter(({ status }) => status === 'exception');
  if (stopped.length > 0) {
    return { is: 'action_needed', detail: stopped.flatMap(({ details }) => details).join(' ') || CORRECT };
  }
  if (ended.length > 0) return { is: 'action_needed', detail: describeEnded(ended, detail) };
  const isComplete = chosen.every((order) => order !== undefined && SCHEDULED.has(order.status));
  if (!isComplete) return { is: 'in_review' };
  // If an order has no date, the time of its last change is used: Telnyx set the date before that change.
  const focDate = latest(relevant.map(({ focDate: set, updatedAt }) => set ?? updatedAt)) ?? new Date(0);
  return { is: relevant.every(({ status }) => status === 'ported') ? 'ported' : 'foc_confirmed', focDate };
}

/** Returns the newest order of a number that is not cancelled. If all are cancelled, returns the newest. */
function chooseOrder(orders: readonly PortingOrder[], phoneNumber: string): PortingOrder | undefined {
  const ofNumber = orders.filter(({ phoneNumbers }) => phoneNumbers.includes(phoneNumber));
  return ofNumber.findLast(isAlive) ?? ofNumber.at(-1);
}

function describeEnded(ended: readonly PortingOrder[], detail: string): string {
  const numbers = ended.flatMap(({ phoneNumbers }) => phoneNumbers).join(', ');
  return `The order of ${numbers} is cancelled. ${detail}`.trimEnd();
}

function latest(dates: readonly (Date | null)[]): Date | null {
  const known = dates.filter((date) => date !== null).map((date) => date.getTime());
  return known.length === 0 ? null : new Date(Math.max(...known));
}
