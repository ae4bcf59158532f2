import type { Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { giveUpEverything } from './disable-endpoint.ts';
import { getEndpointForUpdate } from './get-endpoint.ts';
import { markEndpointDeleted } from './queries.ts';

/** Removes an endpoint; what waits for it is given up. Error: webhook_endpoint_not_found. */
export async function deleteEndpoint(tx: Tx, ledger: Ledger, id: string): Promise<void> {
  const endpoint = await getEndpointForUpdate(tx, ledger, id);
  await markEndpointDeleted(tx, ledger, endpoint.id);
  await giveUpEverything(tx, ledger.ledgerId, endpoint.id);
}
