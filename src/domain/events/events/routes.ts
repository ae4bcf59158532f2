import type { RoutePlugin } from '../../../http/edge/types.ts';
import { Id, PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import { getEvent } from './get-event.ts';
import { listEvents, type TenantFilter } from './list-events.ts';
import { resendEvent } from './resend-event.ts';
import { Event, EventList, ResendEvent } from './schema.ts';

const params = Type.Object({ event_id: Id });
const tags = ['Events'];

/**
 * Returns the routes of the stored events. The caller passes `tenantFilter` in, because it needs the tenants module.
 */
export function eventRecordRoutes(tenantFilter: TenantFilter): RoutePlugin {
  return (api, context) => {
    api.get(
      '/events',
      { schema: { tags, summary: 'List events', querystring: EventList, response: { 200: PageOf(Event) } } },
      ({ scope, query }) => listEvents(context.db, scope, query, tenantFilter),
    );

    api.get(
      '/events/:event_id',
      { schema: { tags, summary: 'Get an event', params, response: { 200: Event } } },
      ({ scope, params }) => getEvent(context.db, scope, params.event_id),
    );

    api.post(
      '/events/:event_id/resend',
      {
        config: { access: 'account' },
        schema: { tags, summary: 'Deliver an event again', params, body: ResendEvent, response: { 200: Event } },
      },
      async (request, reply) =>
        write(context, { request, reply, status: 200 }, (tx) =>
          resendEvent(tx, request.scope, request.params.event_id, request.body),
        ),
    );
  };
}
