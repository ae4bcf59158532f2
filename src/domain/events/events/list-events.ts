import type { Db } from '../../../db/database.ts';
import { notACursor, type Page, readCursor, readRange, toPage } from '../../../http/schemas/pagination.ts';
import { isId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { checkEventType } from '../webhook-endpoints/check-endpoint.ts';
import { type EventFilter, type EventPosition, findPosition, listEventsIn } from './queries.ts';
import type { Event, EventList } from './schema.ts';

/**
 * Limits a list to the events that a key may see. The caller passes it in, because this module does not import tenants.
 */
export type TenantFilter = (db: Db, scope: Scope, tenantId: string | undefined) => Promise<string | null>;

const NEWEST = 'events';
const FORWARD = 'events:asc';

/**
 * Returns a page of events, newest first or, with order `asc`, in the order of writing. `after` may also be the id of
 * the last event that the caller has processed.
 * Errors: invalid_start, invalid_end, invalid_range, invalid_cursor, unknown_event_type, tenant_not_found,
 * tenant_restricted_key.
 */
export async function listEvents(
  db: Db,
  scope: Scope,
  query: EventList,
  tenantFilter: TenantFilter,
): Promise<Page<Event>> {
  const { order = 'desc', limit = 25, type, resource_id: resourceId = null } = query;
  const list = order === 'desc' ? NEWEST : FORWARD;
  const filter: EventFilter = {
    range: readRange(query),
    resourceId,
    type: type === undefined ? null : checkEventType(type, 'type'),
    tenantId: await tenantFilter(db, scope, query.tenant_id),
  };
  const after = await readAfter(db, scope, list, query.after);
  const rows = await listEventsIn(order, db, scope, { ...filter, after, rows: limit + 1 });
  return toPage(list, rows, limit, (event) => [event.position, event.id]);
}

const XID8 = /^\d{1,20}$/;

async function readAfter(db: Db, scope: Scope, list: string, after: string | undefined): Promise<EventPosition | null> {
  if (after !== undefined && isId('event', after)) return await positionOf(db, scope, after);
  const [writtenBy, id] = readCursor(list, 2, after) ?? [];
  if (writtenBy == null || id == null) return null;
  if (!XID8.test(writtenBy) || BigInt(writtenBy) >= 2n ** 64n) throw notACursor();
  return { writtenBy, id };
}

async function positionOf(db: Db, scope: Scope, eventId: string): Promise<EventPosition> {
  const position = await findPosition(db, scope, eventId);
  if (position === undefined || (scope.tenantId !== null && position.tenantId !== scope.tenantId)) throw notACursor();
  return position;
}
