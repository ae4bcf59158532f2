import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { makeSecret } from '../deliveries/signature.ts';
import { getEndpointForUpdate } from './get-endpoint.ts';
import { rotateSecretRow } from './queries.ts';
import { secretContext } from './rules.ts';
import type { WebhookEndpointWithSecret } from './schema.ts';

/**
 * Mints a new secret; earlier secrets sign beside it for 24 hours of ledger time.
 * Error: webhook_endpoint_not_found.
 */
export async function rotateSecret(
  { cipher }: Pick<Context, 'cipher'>,
  tx: Tx,
  ledger: Ledger,
  id: string,
): Promise<WebhookEndpointWithSecret> {
  const endpoint = await getEndpointForUpdate(tx, ledger, id);
  const secretId = newId('webhook_secret');
  const secret = makeSecret();
  const sealed = cipher.encrypt(secret, secretContext(ledger.ledgerId, id, secretId));
  await rotateSecretRow(tx, ledger, id, { id: secretId, sealed });
  return { ...endpoint, secret };
}
