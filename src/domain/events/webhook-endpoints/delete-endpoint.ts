import type { Tx } from '../../../db/database.ts';
import type { Scope } from '../../../lib/scope.ts';
import { recordActions } from '../../audit/index.ts';
import { giveUpAllDeliveries } from './disable-endpoint.ts';
import { getEndpointForUpdate } from './get-endpoint.ts';
import { markEndpointDeleted } from './queries.ts';

/** Deletes an endpoint and gives up its waiting deliveries. Error: webhook_endpoint_not_found. */
export async function deleteEndpoint(tx: Tx, scope: Scope, id: string): Promise<void> {
  const endpoint = await getEndpointForUpdate(tx, scope, id);
  await markEndpointDeleted(tx, scope, endpoint.id);
  await giveUpAllDeliveries(tx, scope.ledgerId, endpoint.id);
  const { tenant_id: tenantId } = endpoint;
  await recordActions(tx, scope, [{ action: 'webhook_endpoint.deleted', resourceId: endpoint.id, tenantId }]);
}
