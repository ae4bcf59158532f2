import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { recordActions } from '../../audit/index.ts';
import { makeSecret } from '../deliveries/signature.ts';
import { getEndpointForUpdate } from './get-endpoint.ts';
import { rotateSecretRow } from './queries.ts';
import { secretContext } from './rules.ts';
import type { WebhookEndpointWithSecret } from './schema.ts';

/** Mints a new secret; earlier secrets also sign for 24 hours of ledger time. Error: webhook_endpoint_not_found. */
export async function rotateSecret(
  { cipher }: Pick<Context, 'cipher'>,
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<WebhookEndpointWithSecret> {
  const endpoint = await getEndpointForUpdate(tx, scope, id);
  const secretId = newId('webhook_secret');
  const secret = makeSecret();
  const sealed = cipher.encrypt(secret, secretContext(scope.ledgerId, id, secretId));
  await rotateSecretRow(tx, scope, id, { id: secretId, sealed });
  const { tenant_id: tenantId } = endpoint;
  await recordActions(tx, scope, [{ action: 'webhook_endpoint.secret_rotated', resourceId: id, tenantId }]);
  return { ...endpoint, secret };
}
