import type { Db, Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { findEndpoint, lockEndpoint } from './queries.ts';
import type { WebhookEndpoint } from './schema.ts';

/** The endpoint. Error: webhook_endpoint_not_found. */
export async function getEndpoint(db: Db, ledger: Ledger, id: string): Promise<WebhookEndpoint> {
  return admit(await findEndpoint(db, ledger, id));
}

/** As `getEndpoint`, and no one else changes it until the transaction ends. */
export async function getEndpointForUpdate(tx: Tx, ledger: Ledger, id: string): Promise<WebhookEndpoint> {
  return admit(await lockEndpoint(tx, ledger, id));
}

function admit(endpoint: WebhookEndpoint | undefined): WebhookEndpoint {
  if (endpoint === undefined) throw new ApiError('webhook_endpoint_not_found');
  return endpoint;
}
