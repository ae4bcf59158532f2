import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { recordActions } from '../../audit/index.ts';
import { makeSecret } from '../deliveries/signature.ts';
import { EVENT_VERSION } from '../types/entry.ts';
import { uniqueTypes } from './check-endpoint.ts';
import { insertEndpoint, lockEndpoints } from './queries.ts';
import { hostOf, secretContext } from './rules.ts';
import type { CreateWebhookEndpoint, WebhookEndpointWithSecret } from './schema.ts';

/**
 * Locks a tenant against its deletion. The caller passes it in, because this module does not import tenants.
 * Error: tenant_not_found.
 */
export type LockTenant = (tx: Tx, scope: Scope, id: string) => Promise<unknown>;

/**
 * Registers an endpoint, whose fields have been checked (`checkEndpoint`), and mints its secret.
 * Errors: tenant_not_found, too_many_endpoints.
 */
export async function createEndpoint(
  { cipher, lockTenant }: Pick<Context, 'cipher'> & { readonly lockTenant: LockTenant },
  tx: Tx,
  scope: Scope,
  wanted: CreateWebhookEndpoint,
): Promise<WebhookEndpointWithSecret> {
  const tenantId = wanted.tenant_id ?? null;
  if (tenantId !== null) await lockTenant(tx, scope, tenantId);
  // Creations of a ledger run one after another, so that two of them cannot both take the last free place.
  await lockEndpoints(tx, scope);
  const id = newId('webhook_endpoint');
  const secretId = newId('webhook_secret');
  const secret = makeSecret();
  const endpoint = await insertEndpoint(tx, scope, {
    id,
    url: wanted.url,
    enabledEvents: uniqueTypes(wanted.enabled_events ?? null),
    tenantId,
    description: wanted.description ?? null,
    eventVersion: EVENT_VERSION,
    secretId,
    secret: cipher.encrypt(secret, secretContext(scope.ledgerId, id, secretId)),
  });
  if (endpoint === undefined) throw new ApiError('too_many_endpoints');
  const details = { host: hostOf(endpoint.url) };
  await recordActions(tx, scope, [{ action: 'webhook_endpoint.created', resourceId: id, tenantId, details }]);
  return { ...endpoint, secret };
}
