/** The progress of a confirmed order: automatically, a step after `stepMs`, or by controls. */

import { randomUUID } from 'node:crypto';
import { time } from '../support/emulator-time.ts';
import { addNumber } from './number-orders.ts';
import { portabilityOf } from './portability.ts';
import { reportPort } from './porting-events.ts';
import type { PortingOrder, PortingStatus, StatusDetail } from './porting-state.ts';
import { nowText } from './state.ts';
import type { World } from './world.ts';

/** The losing carrier has this much time before it lets a number go, unless the order asks for another moment. */
const NOTICE_MS = 5 * 24 * 3_600_000;
/** The states of a confirmed order whose numbers may still come. */
const UNDER_WAY: readonly PortingStatus[] = ['in-process', 'submitted', 'exception', 'foc-date-confirmed'];

type Change = {
  readonly status: PortingStatus;
  readonly details?: readonly StatusDetail[];
  /** When the losing carrier lets the numbers go, as an ISO 8601 time. */
  readonly focDate?: string;
};

/** Controls for tests that act for losing carriers and for Telnyx's staff. */
export type PortingControls = {
  /** Changes the status of a port. `ported` gives the account the numbers. */
  decidePort(asked: Change & { readonly id: string }): Promise<null>;
  /** If `pend` is true, confirmed and cancelled ports change their status by controls only. */
  pendPorts(asked: { readonly pend: boolean }): Promise<null>;
  /** Moves numbers of a port to a new one, as Telnyx's staff does. Returns the id of the new one. */
  splitPort(asked: { readonly id: string; readonly phoneNumbers: readonly string[] }): Promise<string>;
  /** Telnyx's staff comments on a port. */
  commentPort(asked: { readonly id: string; readonly body: string }): Promise<null>;
};

/** Returns the controls of ports. */
export function portingControls(world: World): PortingControls {
  const { portingOrders } = world.state;
  const find = (id: string): PortingOrder => {
    const order = portingOrders.get(id);
    if (order === undefined) throw new Error(`the account has no port ${id}`);
    return order;
  };
  return {
    decidePort: async ({ id, ...change }) => {
      setStatus(world, find(id), change);
      return null;
    },
    pendPorts: async ({ pend }) => {
      world.state.portsPend = pend;
      return null;
    },
    splitPort: async ({ id, phoneNumbers }) => split(world, find(id), phoneNumbers),
    commentPort: async ({ id, body }) => {
      const comment = { id: randomUUID(), body, inserted_at: nowText(), user_type: 'admin', user_id: randomUUID() };
      const order = find(id);
      reportPort(world, order, 'new_comment', { comment, porting_order_id: id, support_key: order.support_key });
      return null;
    },
  };
}

/** Carries a confirmed order to its end, unless a control or a cancellation interferes. */
export function pursue(world: World, order: PortingOrder): void {
  const { state, settings, later } = world;
  order.confirmations += 1;
  const { confirmations } = order;
  order.support_key ??= `sr_${order.id.slice(0, 6)}`;
  setStatus(world, order, { status: 'in-process' });
  const step = (count: number, from: PortingStatus, change: () => Change) =>
    later(settings.stepMs * count, () => {
      const isNext = order.status.value === from && order.confirmations === confirmations;
      if (isNext && !state.portsPend) setStatus(world, order, change());
    });
  step(1, 'in-process', () => {
    const details = order.numbers.flatMap((each) => (wasDoubted(world, order, each) ? [] : exceptionOf(each)));
    return details.length === 0 ? { status: 'submitted' } : { status: 'exception', details: details.slice(0, 1) };
  });
  step(2, 'submitted', () => ({ status: 'foc-date-confirmed', focDate: focDateOf(order) }));
  step(3, 'foc-date-confirmed', () => ({ status: 'ported' }));
}

function exceptionOf(number: string): readonly StatusDetail[] {
  const { exception } = portabilityOf(number);
  return exception === null ? [] : [exception];
}

/** True if an order with the number was confirmed before: this one, or one that was cancelled. */
function wasDoubted({ state }: World, order: PortingOrder, number: string): boolean {
  return [...state.portingOrders.values()].some(
    (each) => each.numbers.includes(number) && each.confirmations > (each === order ? 1 : 0),
  );
}

/** Ends a cancellation that was asked for. */
export function pursueCancellation(world: World, order: PortingOrder): void {
  setStatus(world, order, { status: 'cancel-pending' });
  world.later(world.settings.stepMs, () => {
    const isNext = order.status.value === 'cancel-pending' && !world.state.portsPend;
    if (isNext) setStatus(world, order, { status: 'cancelled' });
  });
}

function focDateOf({ activation_settings: { foc_datetime_requested } }: PortingOrder): string {
  return foc_datetime_requested ?? new Date(time.now() + NOTICE_MS).toISOString();
}

/** Changes the status with all that follows from it, and reports it. */
function setStatus(world: World, order: PortingOrder, { status, details = [], focDate }: Change): void {
  order.status = { value: status, details };
  order.updated_at = nowText();
  if (focDate !== undefined) setActivation(order, focDate);
  if (status === 'exception') setActivation(order, null);
  const { id, customer_reference, support_key, updated_at, webhook_url } = order;
  moveNumbers(world, order);
  const payload = { id, customer_reference, support_key, updated_at, webhook_url, status: order.status };
  reportPort(world, order, 'status_changed', payload);
  const portStatus = messagingStatusOf(order);
  if (portStatus === order.messaging.messaging_port_status) return;
  const messaging = {
    ...order.messaging,
    messaging_port_status: portStatus,
    messaging_port_completed: portStatus === 'ported',
  };
  Object.assign(order, { messaging });
  reportPort(world, order, 'messaging_changed', { id, customer_reference, support_key, messaging });
}

function setActivation(order: PortingOrder, focDate: string | null): void {
  const activation_settings = { ...order.activation_settings, foc_datetime_actual: focDate };
  Object.assign(order, { activation_settings });
}

/** In the account, a number that is being ported is `port-pending`, and a ported number `active`. */
function moveNumbers({ state }: World, order: PortingOrder): void {
  const { value } = order.status;
  for (const number of order.numbers) {
    const owned = state.numbers.get(number);
    if (value === 'cancelled' && owned?.status === 'port-pending') state.numbers.delete(number);
    if (UNDER_WAY.includes(value) && owned?.status !== 'port-pending') {
      addNumber(state, number, { ...plannedFor(order), status: 'port-pending' });
    }
    if (value !== 'ported' || owned?.status === 'active') continue;
    // The number keeps its id when it has arrived.
    const { emergency_address_id = null } = order.phone_number_configuration;
    const emergency = emergency_address_id !== null && {
      emergency_address_id,
      emergency_enabled: true,
      emergency_status: 'active',
    };
    const added = owned?.status === 'port-pending' ? owned : addNumber(state, number, plannedFor(order));
    Object.assign(added, plannedFor(order), { status: 'active', ...emergency });
  }
}

function plannedFor(order: PortingOrder) {
  const { connection_id = null, messaging_profile_id = null, tags = [] } = order.phone_number_configuration;
  const { customer_reference } = order;
  return { connection_id, messaging_profile_id, tags, customer_reference, status: 'active' as const };
}

function messagingStatusOf({ messaging, status: { value } }: PortingOrder) {
  if (!messaging.enable_messaging || value === 'draft') return 'not_applicable';
  if (value === 'cancelled') return 'canceled';
  return value === 'ported' ? 'ported' : 'pending';
}

function split(world: World, order: PortingOrder, moved: readonly string[]): string {
  const kept = order.numbers.filter((number) => !moved.includes(number));
  if (kept.length === 0 || kept.length + moved.length !== order.numbers.length) {
    throw new Error('a part of the numbers of the port must be moved');
  }
  const now = nowText();
  const made: PortingOrder = { ...structuredClone(order), id: randomUUID(), numbers: moved, updated_at: now };
  order.numbers = kept;
  order.updated_at = now;
  world.state.portingOrders.set(made.id, made);
  const porting_phone_numbers = moved.map(() => ({ id: randomUUID() }));
  reportPort(world, order, 'split', { from: { id: order.id }, to: { id: made.id }, porting_phone_numbers });
  return made.id;
}
