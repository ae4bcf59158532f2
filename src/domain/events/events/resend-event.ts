import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Scope } from '../../../lib/scope.ts';
import { wake } from '../../../queue/worker/wake.ts';
import { WEBHOOK_LANES } from '../catalog.ts';
import { getEndpoint } from '../webhook-endpoints/get-endpoint.ts';
import { getEvent } from './get-event.ts';
import { insertResends } from './queries.ts';
import type { Event, ResendEvent } from './schema.ts';

/**
 * Sends an event again, as new deliveries with the same event id: to one endpoint, or to all active endpoints that want
 * its type. Errors: event_not_found, webhook_endpoint_not_found (also for an endpoint that is limited to another
 * tenant).
 */
export async function resendEvent(tx: Tx, scope: Scope, id: string, wanted: ResendEvent): Promise<Event> {
  const event = await getEvent(tx, scope, id);
  const { endpoint_id: endpointId } = wanted;
  const endpoint = endpointId === undefined ? null : await getEndpoint(tx, scope, endpointId, 'endpoint_id');
  const tenantId = endpoint?.tenant_id ?? null;
  if (tenantId !== null && tenantId !== event.tenant_id) {
    const message = 'The endpoint is limited to a tenant, and this event is not of that tenant.';
    throw new ApiError('webhook_endpoint_not_found', { param: 'endpoint_id', message });
  }
  if ((await insertResends(tx, scope, event.id, endpoint?.id ?? null)) > 0) wake(tx, 'lanes', WEBHOOK_LANES);
  return event;
}
