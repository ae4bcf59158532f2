import type { Db } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { getEndpoint } from '../webhook-endpoints/get-endpoint.ts';
import { renderEnvelope } from './attempt.ts';
import { findDeliveredEvent, findDelivery } from './queries.ts';
import type { WebhookDeliveryDetail } from './schema.ts';

/**
 * Returns a delivery with its attempts and the body of its requests.
 * Errors: webhook_endpoint_not_found, delivery_not_found.
 */
export async function getDelivery(
  db: Db,
  ledger: Ledger,
  { endpointId, deliveryId }: { endpointId: string; deliveryId: string },
): Promise<WebhookDeliveryDetail> {
  await getEndpoint(db, ledger, endpointId);
  const delivery = await findDelivery(db, ledger, endpointId, deliveryId);
  const event = await findDeliveredEvent(db, ledger, endpointId, deliveryId);
  if (delivery === undefined || event === undefined) throw new ApiError('delivery_not_found');
  return { ...delivery, request_body: renderEnvelope(event, event.event_version) };
}
