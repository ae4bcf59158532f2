/** The orders that bring numbers from other carriers. */

import { randomUUID } from 'node:crypto';
import { time } from '../support/emulator-time.ts';
import { isTollFree } from './available-numbers.ts';
import { findDocument } from './documents.ts';
import { obstacleOf, portabilityOf, portableNumbers } from './portability.ts';
import { reportPort } from './porting-events.ts';
import { pursue, pursueCancellation } from './porting-progress.ts';
import { missingOf, REQUIREMENTS, requirementsOf } from './porting-requirements.ts';
import type { PortingDetails, PortingOrder, PortingStatus } from './porting-state.ts';
import { checkQuery, orNotFound, PAGE_PARAMETERS, page, Refusal, type Reply } from './replies.ts';
import type { Route } from './routes.ts';
import { nowText } from './state.ts';
import type { World } from './world.ts';

type Creation = {
  readonly phone_numbers?: readonly string[];
  readonly customer_reference?: string | null;
  readonly customer_group_reference?: string;
};

type PortingChange = Partial<PortingDetails> & {
  readonly customer_reference?: string;
  readonly customer_group_reference?: string;
  readonly webhook_url?: string;
  readonly requirements?: readonly { readonly field_value: string; readonly requirement_type_id: string }[];
  readonly requirement_group_id?: string;
};

/** Less than this time before a port, the losing carrier no longer stops it. */
const CANCEL_BEFORE_MS = 48 * 3_600_000;
const ENDED: readonly PortingStatus[] = ['ported', 'cancelled'];
const CORRECTABLE: readonly PortingStatus[] = ['draft', 'exception'];
const NUMBERS_SHOWN = 50;
/** The filter by a number, as Telnyx's pages have it, and as its SDK sends it. */
const CONTAINS = ['filter[phone_numbers.phone_number][contains]', 'filter[phone_numbers][phone_number][contains]'];

/** Returns the operations on the orders of ports. */
export function portingOrderRoutes(world: World): readonly Route[] {
  const { portingOrders } = world.state;
  const find = (id = '') => orNotFound(portingOrders.get(id));
  return [
    { name: 'POST /porting_orders', answer: ({ body }) => create(world, body as Creation) },
    { name: 'GET /porting_orders', answer: ({ query }) => list([...portingOrders.values()], query) },
    {
      name: 'GET /porting_orders/{id}',
      answer: ({ params, query }) => {
        checkQuery(query, ['include_phone_numbers']);
        return single(find(params.id), query);
      },
    },
    {
      name: 'PATCH /porting_orders/{id}',
      answer: ({ params, body }) => {
        const order = find(params.id);
        change(world, order, body as PortingChange);
        return single(order);
      },
    },
    { name: 'DELETE /porting_orders/{id}', answer: ({ params }) => remove(world, find(params.id)) },
    {
      name: 'GET /porting_orders/{id}/requirements',
      answer: ({ params, query }) => {
        checkQuery(query, PAGE_PARAMETERS);
        return page(requirementsOf(find(params.id)), query);
      },
    },
    { name: 'POST /porting_orders/{id}/actions/confirm', answer: ({ params }) => confirm(world, find(params.id)) },
    { name: 'POST /porting_orders/{id}/actions/cancel', answer: ({ params }) => cancel(world, find(params.id)) },
  ];
}

/** Takes all the numbers or none. Numbers with the same losing carrier, type and speed share an order. */
function create(world: World, request: Creation): Reply {
  const numbers = portableNumbers(request.phone_numbers);
  const groups = new Map<string, string[]>();
  for (const [index, number] of numbers.entries()) {
    const source = { pointer: `/phone_numbers/${index}` };
    const obstacle = obstacleOf(world, number);
    if (obstacle !== null) throw new Refusal('10027', `${number}: ${obstacle}`, source);
    if (numbers.indexOf(number) !== index) throw new Refusal('80200', `${number} is named twice`, source);
    if (isOrdered(world, number)) throw new Refusal('80003', `${number} has an open porting order`, source);
    const { carrier, isFast } = portabilityOf(number);
    const key = `${carrier.ocn} ${isFast}`;
    groups.set(key, [...(groups.get(key) ?? []), number]);
  }
  const made = [...groups.values()].map((group) => draftOf(request, group));
  for (const order of made) world.state.portingOrders.set(order.id, order);
  return { status: 201, body: { data: made.map((order) => shown(order)) } };
}

function isOrdered({ state }: World, number: string): boolean {
  const open = [...state.portingOrders.values()].filter(({ status }) => !ENDED.includes(status.value));
  return open.some(({ numbers }) => numbers.includes(number));
}

function draftOf({ customer_reference = null, customer_group_reference }: Creation, numbers: string[]): PortingOrder {
  const [first = ''] = numbers;
  const { carrier, isFast } = portabilityOf(first);
  const now = nowText();
  return {
    id: randomUUID(),
    numbers,
    type: isTollFree(first) ? 'toll_free' : 'local',
    losingCarrier: carrier,
    customer_reference,
    customer_group_reference: customer_group_reference ?? null,
    webhook_url: null,
    support_key: null,
    status: { value: 'draft', details: [] },
    confirmations: 0,
    end_user: { admin: {}, location: {} },
    documents: {},
    misc: { type: 'full' },
    phone_number_configuration: { tags: [] },
    messaging: {
      enable_messaging: false,
      messaging_capable: true,
      messaging_port_completed: false,
      messaging_port_status: 'not_applicable',
    },
    activation_settings: { fast_port_eligible: isFast, foc_datetime_requested: null, foc_datetime_actual: null },
    user_feedback: {},
    created_at: now,
    updated_at: now,
  };
}

function list(orders: readonly PortingOrder[], query: URLSearchParams): Reply {
  const filters = ['customer_reference', 'customer_group_reference'] as const;
  const filterNames = filters.map((name) => `filter[${name}]`);
  checkQuery(query, [...filterNames, ...CONTAINS, 'include_phone_numbers', 'sort[value]', ...PAGE_PARAMETERS]);
  const part = CONTAINS.map((name) => query.get(name)).find((text) => text !== null) ?? '';
  const found = orders.filter(
    (order) =>
      filters.every((name) => [null, order[name]].includes(query.get(`filter[${name}]`))) &&
      order.numbers.some((number) => number.includes(part)),
  );
  const sort = query.get('sort[value]') ?? '-created_at';
  if (!['created_at', '-created_at'].includes(sort)) {
    throw new Refusal('10015', `the emulator does not sort by ${sort}`, { parameter: 'sort[value]' });
  }
  const sorted = sort === 'created_at' ? found : found.reverse();
  return page(
    sorted.map((order) => shown(order, query)),
    query,
  );
}

function single(order: PortingOrder, query?: URLSearchParams): Reply {
  const meta = { phone_numbers_url: `/v2/porting_phone_numbers?filter[porting_order_id]=${order.id}` };
  return { status: 200, body: { data: shown(order, query), meta } };
}

/** Returns an order as the API shows it; with the first numbers unless the query asks for none. */
function shown(order: PortingOrder, query?: URLSearchParams): object {
  const { numbers, type, losingCarrier, confirmations, ...own } = order;
  const requirements_met = missingOf(order).length === 0;
  const phone_numbers = numbers.slice(0, NUMBERS_SHOWN).map((phone_number) => ({
    record_type: 'porting_phone_number',
    phone_number,
    phone_number_type: type,
    porting_order_id: order.id,
    porting_order_status: order.status.value,
    portability_status: 'confirmed',
    activation_status: order.status.value === 'ported' ? 'Active' : 'New',
    requirements_status: requirements_met ? 'approved' : 'requirement-info-pending',
    support_key: order.support_key,
  }));
  return {
    ...own,
    record_type: 'porting_order',
    old_service_provider_ocn: losingCarrier.ocn,
    phone_number_type: type,
    porting_phone_numbers_count: numbers.length,
    ...(query?.get('include_phone_numbers') !== 'false' && { phone_numbers }),
    requirements: REQUIREMENTS.map(({ id, field }) => ({
      record_type: 'porting_order_requirement',
      field_type: 'document',
      field_value: order.documents[field] ?? null,
      requirement_type_id: id,
    })),
    requirements_met,
    additional_steps: [],
  };
}

/** Changes an order. The fields that a losing carrier checks are fixed while it checks. */
function change(world: World, order: PortingOrder, wanted: PortingChange): void {
  const { end_user, documents, misc, requirements, requirement_group_id, ...others } = wanted;
  const { value } = order.status;
  if (ENDED.includes(value)) throw new Refusal('10015', `the order is ${value}`);
  if (requirement_group_id !== undefined) throw new Refusal('10015', 'the emulator has no requirement groups');
  const isCorrection = [end_user, documents, misc, requirements].some((part) => part !== undefined);
  if (isCorrection && !CORRECTABLE.includes(value)) throw new Refusal('10015', `the order is ${value}`);
  const attached = { ...documents, ...documentsOf(requirements ?? []) };
  for (const [field, id] of Object.entries(attached)) {
    if (id === null || findDocument(world, id) !== undefined) continue;
    throw new Refusal('10015', 'the document does not exist', { pointer: `/documents/${field}` });
  }
  const { messaging_profile_id } = others.phone_number_configuration ?? {};
  if (messaging_profile_id && !world.state.profiles.has(messaging_profile_id)) {
    const pointer = '/phone_number_configuration/messaging_profile_id';
    throw new Refusal('10015', 'the messaging profile does not exist', { pointer });
  }
  const { emergency_address_id } = others.phone_number_configuration ?? {};
  if (emergency_address_id && !world.state.addresses.has(emergency_address_id)) {
    const pointer = '/phone_number_configuration/emergency_address_id';
    throw new Refusal('10015', 'the address does not exist', { pointer });
  }
  const loa = order.documents.loa;
  Object.assign(order, {
    end_user: {
      admin: { ...order.end_user.admin, ...end_user?.admin },
      location: { ...order.end_user.location, ...end_user?.location },
    },
    documents: { ...order.documents, ...attached },
    misc: misc === null ? {} : { ...order.misc, ...misc },
    phone_number_configuration: { ...order.phone_number_configuration, ...others.phone_number_configuration },
    messaging: { ...order.messaging, ...others.messaging },
    activation_settings: { ...order.activation_settings, ...others.activation_settings },
    user_feedback: { ...order.user_feedback, ...others.user_feedback },
    customer_reference: others.customer_reference ?? order.customer_reference,
    customer_group_reference: others.customer_group_reference ?? order.customer_group_reference,
    webhook_url: others.webhook_url ?? order.webhook_url,
    updated_at: nowText(),
  });
  if (order.documents.loa !== loa) reportPort(world, order, 'loa_updated', null);
}

function documentsOf(requirements: NonNullable<PortingChange['requirements']>): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [index, { requirement_type_id, field_value }] of requirements.entries()) {
    const requirement = REQUIREMENTS.find(({ id }) => id === requirement_type_id);
    if (requirement === undefined) {
      throw new Refusal('10015', 'the order has no such requirement', { pointer: `/requirements/${index}` });
    }
    found[requirement.field] = field_value;
  }
  return found;
}

function remove(world: World, order: PortingOrder): Reply {
  const { id, status, created_at, updated_at, customer_reference } = order;
  if (status.value !== 'draft') throw new Refusal('10015', 'only a draft can be deleted');
  world.state.portingOrders.delete(id);
  const deleted = { record_type: 'porting_order', id, created_at, updated_at, deleted_at: nowText() };
  reportPort(world, order, 'deleted', { ...deleted, customer_reference });
  return { status: 204 };
}

function confirm(world: World, order: PortingOrder): Reply {
  if (!CORRECTABLE.includes(order.status.value)) {
    throw new Refusal('10015', `an order that is ${order.status.value} cannot be confirmed`);
  }
  const [missing] = missingOf(order);
  if (missing !== undefined) {
    throw new Refusal('10015', `the requirements of the order are not met: ${missing}`, { pointer: missing });
  }
  pursue(world, order);
  return single(order);
}

function cancel(world: World, order: PortingOrder): Reply {
  const { value } = order.status;
  if ([...ENDED, 'draft', 'cancel-pending'].includes(value)) {
    throw new Refusal('10015', `an order that is ${value} cannot be cancelled`);
  }
  const { foc_datetime_actual: focDate } = order.activation_settings;
  if (focDate !== null && Date.parse(focDate) - time.now() < CANCEL_BEFORE_MS) {
    throw new Refusal('10015', 'an order cannot be cancelled less than 48 hours before its port');
  }
  pursueCancellation(world, order);
  return single(order);
}
