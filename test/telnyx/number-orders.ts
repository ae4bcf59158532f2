import { randomUUID } from 'node:crypto';
import { isTollFree } from './available-numbers.ts';
import { checkQuery, ok, orNotFound, PAGE_PARAMETERS, page, Refusal, type Reply } from './replies.ts';
import type { Route } from './routes.ts';
import { type NumberOrder, nextNumericId, nowText, type OrderStatus, type OwnedNumber, type State } from './state.ts';

type OrderRequest = {
  readonly phone_numbers?: readonly { readonly phone_number: string }[];
  readonly connection_id?: string;
  readonly messaging_profile_id?: string;
  readonly customer_reference?: string;
};

/** Returns the operations that buy numbers. */
export function numberOrderRoutes(state: State): readonly Route[] {
  return [
    { name: 'POST /number_orders', answer: ({ body }) => order(state, body as OrderRequest) },
    { name: 'GET /number_orders', answer: ({ query }) => list(state, query) },
    { name: 'GET /number_orders/{id}', answer: ({ params }) => ok(orNotFound(state.orders.get(params.id ?? ''))) },
  ];
}

/**
 * Takes an order whole or not at all. The account has the numbers immediately. They are pending until the order ends.
 */
function order(state: State, request: OrderRequest): Reply {
  const wanted = (request.phone_numbers ?? []).map((each) => each.phone_number);
  if (wanted.length === 0) throw new Refusal('10015', 'no number is asked for', { pointer: '/phone_numbers' });
  for (const [index, number] of wanted.entries()) {
    const source = { pointer: `/phone_numbers/${index}/phone_number` };
    if (!/^\+1\d{10}$/.test(number)) throw new Refusal('10016', `${number} is not such a number`, source);
    if (!state.offered.has(number)) throw new Refusal('85000', `${number} must appear in a search first`, source);
    if (state.numbers.has(number) || wanted.indexOf(number) !== index) {
      throw new Refusal('85001', `${number} is sold`, source);
    }
  }
  const { connection_id = null, messaging_profile_id = null, customer_reference = null } = request;
  if (messaging_profile_id !== null && !state.profiles.has(messaging_profile_id)) {
    throw new Refusal('10015', 'the messaging profile does not exist', { pointer: '/messaging_profile_id' });
  }
  const now = nowText();
  const placed: NumberOrder = {
    record_type: 'number_order',
    id: randomUUID(),
    phone_numbers_count: wanted.length,
    phone_numbers: wanted.map((phone_number) => ({
      record_type: 'number_order_phone_number',
      id: randomUUID(),
      phone_number,
      phone_number_type: typeOf(phone_number),
      country_code: 'US',
      status: 'pending',
      requirements_met: true,
    })),
    connection_id,
    messaging_profile_id,
    customer_reference,
    status: 'pending',
    requirements_met: true,
    created_at: now,
    updated_at: now,
  };
  state.orders.set(placed.id, placed);
  for (const number of wanted) addNumber(state, number, { ...placed, status: 'purchase-pending' });
  if (!state.ordersPend) completeOrder(state, placed, 'success');
  return ok(placed);
}

function typeOf(number: string): 'local' | 'toll_free' {
  return isTollFree(number) ? 'toll_free' : 'local';
}

type Added = Pick<OwnedNumber, 'status' | 'connection_id' | 'customer_reference' | 'messaging_profile_id'>;

/** Gives the account a number, with a new id. */
export function addNumber(state: State, number: string, added: Added & { readonly tags?: readonly string[] }) {
  const { status, connection_id, customer_reference, messaging_profile_id, tags = [] } = added;
  const now = nowText();
  const owned: OwnedNumber = {
    record_type: 'phone_number',
    id: nextNumericId(state),
    phone_number: number,
    country_iso_alpha2: 'US',
    phone_number_type: typeOf(number),
    status,
    connection_id,
    customer_reference,
    tags,
    messaging_profile_id,
    emergency_enabled: false,
    emergency_status: 'disabled',
    emergency_address_id: null,
    deletion_lock_enabled: false,
    purchased_at: now,
    updated_at: now,
  };
  state.numbers.set(number, owned);
  return owned;
}

/** Ends a pending order. The numbers of a failed one are for sale again. */
export function completeOrder(state: State, placed: NumberOrder, status: OrderStatus): void {
  placed.status = status;
  placed.updated_at = nowText();
  placed.phone_numbers = placed.phone_numbers.map((each) => ({ ...each, status }));
  for (const { phone_number } of placed.phone_numbers) {
    const owned = state.numbers.get(phone_number);
    if (owned === undefined) continue;
    if (status === 'success') owned.status = 'active';
    else state.numbers.delete(phone_number);
  }
}

function list(state: State, query: URLSearchParams): Reply {
  checkQuery(query, ['filter[customer_reference]', 'filter[status]', ...PAGE_PARAMETERS]);
  const reference = query.get('filter[customer_reference]');
  const status = query.get('filter[status]');
  const found = [...state.orders.values()].filter(
    (each) =>
      (reference === null || each.customer_reference === reference) && (status === null || each.status === status),
  );
  return page(found.reverse(), query);
}
