import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { addToLanes, hurryLane, lockLane } from '../../../queue/lanes/lanes.ts';
import { WEBHOOK_LANES } from '../catalog.ts';
import { getEndpoint } from '../webhook-endpoints/get-endpoint.ts';
import { findDelivery, restartDelivery } from './queries.ts';
import type { WebhookDelivery } from './schema.ts';

/**
 * Puts a delivery in any status back into its lane with a new round of attempts, and makes the lane due.
 * Errors: webhook_endpoint_not_found, delivery_not_found.
 */
export async function retryDelivery(
  tx: Tx,
  ledger: Ledger,
  { endpointId, deliveryId }: { endpointId: string; deliveryId: string },
): Promise<WebhookDelivery> {
  await getEndpoint(tx, ledger, endpointId);
  const delivery = await findDelivery(tx, ledger, endpointId, deliveryId);
  if (delivery === undefined) throw new ApiError('delivery_not_found');
  const { ledgerId } = ledger;
  const lane = { ledgerId, kind: WEBHOOK_LANES, groupId: endpointId, laneKey: delivery.resource_id };
  // Locks the lane before the delivery, in the order of the workers.
  await lockLane(tx, lane);
  if (await restartDelivery(tx, ledger, endpointId, deliveryId)) await addToLanes(tx, [{ ...lane, items: 1 }]);
  await hurryLane(tx, lane);
  return (await findDelivery(tx, ledger, endpointId, deliveryId)) ?? delivery;
}
