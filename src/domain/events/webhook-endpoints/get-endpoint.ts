import type { Db, Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { findEndpoint, lockEndpoint } from './queries.ts';
import type { WebhookEndpoint } from './schema.ts';

/**
 * Returns the endpoint. Error: webhook_endpoint_not_found.
 *
 * @param param the field of the request that names the endpoint, for the error
 */
export async function getEndpoint(db: Db, ledger: Ledger, id: string, param?: string): Promise<WebhookEndpoint> {
  return found(await findEndpoint(db, ledger, id), param);
}

/** Does the same as `getEndpoint`, and locks the endpoint until the transaction ends. */
export async function getEndpointForUpdate(tx: Tx, ledger: Ledger, id: string): Promise<WebhookEndpoint> {
  return found(await lockEndpoint(tx, ledger, id));
}

function found(endpoint: WebhookEndpoint | undefined, param?: string): WebhookEndpoint {
  if (endpoint === undefined) throw new ApiError('webhook_endpoint_not_found', param === undefined ? {} : { param });
  return endpoint;
}
