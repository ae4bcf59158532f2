/** The events of ports: a list that can be read and published again, and webhooks to the address of the order. */
import { randomUUID } from 'node:crypto';
import type { PortingEvent, PortingOrder } from './porting-state.ts';
import { checkQuery, ok, orNotFound, PAGE_PARAMETERS, page, type Reply } from './replies.ts';
import type { Route } from './routes.ts';
import { nowText } from './state.ts';
import type { World } from './world.ts';

const FILTERS = ['filter[type]', 'filter[porting_order_id]', 'filter[created_at][gte]', 'filter[created_at][lte]'];

/** Returns the operations on the events of ports. */
export function portingEventRoutes(world: World): readonly Route[] {
  const { portingEvents } = world.state;
  const find = (id = '') => orNotFound(portingEvents.get(id));
  return [
    { name: 'GET /porting/events', answer: ({ query }) => list([...portingEvents.values()], query) },
    { name: 'GET /porting/events/{id}', answer: ({ params }) => ok(find(params.id)) },
    {
      name: 'POST /porting/events/{id}/republish',
      answer: ({ params }) => {
        const event = find(params.id);
        post(world, event, world.state.portingOrders.get(event.porting_order_id)?.webhook_url ?? null);
        return { status: 204 };
      },
    },
  ];
}

function list(events: readonly PortingEvent[], query: URLSearchParams): Reply {
  checkQuery(query, [...FILTERS, ...PAGE_PARAMETERS]);
  const type = query.get('filter[type]');
  const orderId = query.get('filter[porting_order_id]');
  const from = query.get('filter[created_at][gte]') ?? '';
  const until = query.get('filter[created_at][lte]') ?? '9999';
  const found = events.filter(
    (event) =>
      (type === null || event.event_type === type) &&
      (orderId === null || event.porting_order_id === orderId) &&
      event.created_at >= from &&
      event.created_at <= until,
  );
  return page(found.reverse(), query);
}

/** Records an event of an order, and posts it to the address of the order, if it has one. */
export function reportPort(world: World, order: PortingOrder, type: string, payload: object | null): void {
  const now = nowText();
  const event: PortingEvent = {
    id: randomUUID(),
    record_type: 'porting_event',
    event_type: `porting_order.${type}`,
    available_notification_methods: payload === null ? ['email'] : ['email', 'webhook'],
    // Fields that are null in an order are absent in its events.
    payload: JSON.parse(JSON.stringify(payload), (_name, value) => (value === null ? undefined : value)) ?? null,
    payload_status: 'completed',
    porting_order_id: order.id,
    created_at: now,
    updated_at: now,
  };
  world.state.portingEvents.set(event.id, event);
  post(world, event, order.webhook_url);
}

function post({ webhooks }: World, event: PortingEvent, url: string | null): void {
  if (url === null || event.payload === null) return;
  const { id, event_type: type, payload, porting_order_id: about } = event;
  webhooks.send({ id, type, payload, about, urls: [url] });
}
