import type { Db } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { findEvent } from './queries.ts';
import type { Event } from './schema.ts';

/**
 * Returns the event if the key may see it; for keys of one tenant, events of the account do not exist.
 * Errors: event_not_found, tenant_restricted_key.
 */
export async function getEvent(db: Db, scope: Scope, id: string): Promise<Event> {
  const event = await findEvent(db, scope, id);
  if (event?.tenant_id === null && scope.tenantId !== null) throw new ApiError('event_not_found');
  return visible(scope, event, 'event_not_found');
}
