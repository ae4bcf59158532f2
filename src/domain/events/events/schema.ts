import { Closed, Cursor, Id, Limit, RangeQuery, TenantQuery, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';

export const Event = Type.Object({
  id: Type.String(),
  object: Type.Literal('event'),
  type: Type.String(),
  event_version: Type.String(),
  created_at: Timestamp,
  tenant_id: Type.Union([Type.String(), Type.Null()]),
  resource_id: Type.String(),
  sequence: Type.Integer({ description: "Position among the resource's events, from 1." }),
  data: Type.Unsafe<unknown>({ description: 'The resource as it was, with `object` naming its kind.' }),
});
export type Event = Static<typeof Event>;

const EVENT_ORDERS = ['desc', 'asc'] as const;

export const EventList = Closed({
  ...TenantQuery,
  ...RangeQuery,
  type: Type.Optional(
    Type.String({ maxLength: 100, errorCode: 'unknown_event_type', description: 'Only events of this type.' }),
  ),
  resource_id: Type.Optional(Type.String({ ...Id, plusMayBeSpace: true })),
  order: Type.Optional(
    Type.Enum(EVENT_ORDERS, {
      default: 'desc',
      description:
        'asc is for readers that must miss no event: an event is listed only when no earlier one can still be added.',
    }),
  ),
  limit: Type.Optional(Limit),
  after: Type.Optional({ ...Cursor, description: 'next_cursor of a page, or the id of an event' }),
});
export type EventList = Static<typeof EventList>;

export const ResendEvent = Closed({ endpoint_id: Type.Optional(Id) });
export type ResendEvent = Static<typeof ResendEvent>;
