import type { Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { giveUpAllDeliveries } from './disable-endpoint.ts';
import { getEndpointForUpdate } from './get-endpoint.ts';
import { markEndpointDeleted } from './queries.ts';

/** Deletes an endpoint and gives up its waiting deliveries. Error: webhook_endpoint_not_found. */
export async function deleteEndpoint(tx: Tx, ledger: Ledger, id: string): Promise<void> {
  const endpoint = await getEndpointForUpdate(tx, ledger, id);
  await markEndpointDeleted(tx, ledger, endpoint.id);
  await giveUpAllDeliveries(tx, ledger.ledgerId, endpoint.id);
}
