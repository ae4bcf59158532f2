/**
 * Telnyx's porting orders. A port-in has one or more orders, because Telnyx splits it by losing carrier and kind of
 * number. The customer reference of each order is our id of the port-in.
 */
import { listAt, textAt, valueAt } from '../../../lib/json-object.ts';
import type { DocumentKind } from '../../ports/porting.ts';
import { type Answer, LONGEST_PAGE } from '../client/client.ts';
import type { TelnyxLine } from '../client/line.ts';

export type PortingOrder = {
  readonly id: string;
  /** `draft`, `in-process`, `submitted`, `exception`, `foc-date-confirmed`, `ported`, `cancel-pending`, `cancelled`. */
  readonly status: string;
  /** Telnyx's explanation of the status, in sentences for people. */
  readonly details: readonly string[];
  readonly phoneNumbers: readonly string[];
  /** The date that the losing carrier has set. */
  readonly focDate: Date | null;
  readonly updatedAt: Date | null;
  /** True if texts of the numbers can be ported too. */
  readonly canText: boolean;
  /** False if Telnyx needs anything more before it accepts the order. */
  readonly hasRequirements: boolean;
};

/** The document fields of an order, by the API's kind of document. */
export const DOCUMENT_FIELDS: Readonly<Record<DocumentKind, 'loa' | 'invoice'>> = {
  letter_of_authorization: 'loa',
  invoice: 'invoice',
};

/** Telnyx lists only the first 50 numbers of an order, so our orders have at most this many. */
export const ORDER_NUMBERS_MAX = 50;
/** The most numbers that are looked up separately at a time. */
const LOST_LOOKS_MAX = 5;

export type Problem = Exclude<Answer, { is: 'answered' }>;
export type Orders = { readonly orders: readonly PortingOrder[] } | { readonly problem: Problem };

type Named = { readonly ref: string; readonly phoneNumbers: readonly string[] };

/** Returns all orders of a port-in, oldest first. */
export async function listOrders(line: TelnyxLine, { ref }: Pick<Named, 'ref'>): Promise<Orders> {
  const listed = await searchOrders(line, ['filter[customer_reference]', ref]);
  return 'problem' in listed ? listed : readOrders(listed.found.filter((order) => referenceOf(order) === ref));
}

/**
 * Returns all orders of a submitted port-in, oldest first. Telnyx's staff may move numbers to a new order. The
 * documents do not say whether the new order keeps our id. So numbers without an order are looked up separately.
 */
export async function listSubmittedOrders(line: TelnyxLine, { ref, phoneNumbers }: Named): Promise<Orders> {
  const listed = await searchOrders(line, ['filter[customer_reference]', ref]);
  if ('problem' in listed) return listed;
  const orders = listed.found.filter((order) => referenceOf(order) === ref);
  for (let looks = 0; looks < LOST_LOOKS_MAX; looks++) {
    const lost = phoneNumbers.find((phoneNumber) => !orders.some((order) => numbersOf(order).includes(phoneNumber)));
    if (lost === undefined) break;
    const searched = await searchOrders(line, ['filter[phone_numbers.phone_number][contains]', lost]);
    if ('problem' in searched) return searched;
    const adopted = searched.found.filter((order) => (referenceOf(order) ?? '') === '');
    if (!adopted.some((order) => numbersOf(order).includes(lost))) break;
    orders.push(...adopted.filter((order) => numbersOf(order).includes(lost)));
  }
  return readOrders(orders);
}

type Found = { readonly found: readonly unknown[] } | { readonly problem: Problem };

async function searchOrders({ client }: TelnyxLine, filter: readonly [string, string]): Promise<Found> {
  const query = [filter, ['include_phone_numbers', 'true'], LONGEST_PAGE] as const;
  const answer = await client.ask({ method: 'GET', path: '/porting_orders', query });
  return answer.is === 'answered' ? { found: listAt(answer.body, 'data') } : { problem: answer };
}

function readOrders(found: readonly unknown[]): Orders {
  return { orders: found.toSorted((order, other) => madeAt(order) - madeAt(other)).flatMap(readOrder) };
}

const madeAt = (order: unknown): number => dateOf(textAt(order, 'created_at'))?.getTime() ?? 0;
const referenceOf = (order: unknown): string | undefined => textAt(order, 'customer_reference');
const numbersOf = (order: unknown): string[] =>
  listAt(order, 'phone_numbers').flatMap((number) => textAt(number, 'phone_number') ?? []);

/** Reads an order as Telnyx describes it. */
export function readOrder(order: unknown): PortingOrder[] {
  const [id, status] = [textAt(order, 'id'), textAt(order, 'status', 'value')];
  if (id === undefined || status === undefined) return [];
  return [
    {
      id,
      status,
      details: listAt(order, 'status', 'details').flatMap((detail) => {
        const said = textAt(detail, 'description') ?? textAt(detail, 'code');
        return said === undefined ? [] : [said];
      }),
      phoneNumbers: numbersOf(order),
      focDate: dateOf(textAt(order, 'activation_settings', 'foc_datetime_actual')),
      updatedAt: dateOf(textAt(order, 'updated_at')),
      canText: valueAt(order, 'messaging', 'messaging_capable') === true,
      hasRequirements: valueAt(order, 'requirements_met') !== false,
    },
  ];
}

function dateOf(text: string | undefined): Date | null {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? null : date;
}

/** True if the order is neither cancelled nor about to be cancelled. */
export function isAlive({ status }: PortingOrder): boolean {
  return status !== 'cancelled' && status !== 'cancel-pending';
}

/** True if the order waits for the customer: it was never confirmed, or needs a correction. */
export function isOurTurn({ status }: PortingOrder): boolean {
  return status === 'draft' || status === 'exception';
}

/** Returns the numbers without an order, in the given order. */
export function uncovered(phoneNumbers: readonly string[], orders: readonly PortingOrder[]): string[] {
  const covered = new Set(orders.filter(isAlive).flatMap((order) => order.phoneNumbers));
  return phoneNumbers.filter((phoneNumber) => !covered.has(phoneNumber));
}

/** Asks Telnyx to cancel an order. A draft is deleted. */
export function giveUpOrder({ client }: TelnyxLine, { id, status }: PortingOrder): Promise<Answer> {
  const params = { id };
  if (status === 'draft') return client.ask({ method: 'DELETE', path: '/porting_orders/{id}', params });
  return client.ask({ method: 'POST', path: '/porting_orders/{id}/actions/cancel', params });
}
