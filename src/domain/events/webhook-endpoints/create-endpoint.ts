import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { EVENT_VERSION } from '../catalog.ts';
import { makeSecret } from '../deliveries/signature.ts';
import { uniqueTypes } from './check-endpoint.ts';
import { insertEndpoint } from './queries.ts';
import { secretContext } from './rules.ts';
import type { CreateWebhookEndpoint, WebhookEndpointWithSecret } from './schema.ts';

/** Registers an endpoint, whose fields have been checked (`checkEndpoint`), and mints its secret. */
export async function createEndpoint(
  { cipher }: Pick<Context, 'cipher'>,
  tx: Tx,
  ledger: Ledger,
  wanted: CreateWebhookEndpoint,
): Promise<WebhookEndpointWithSecret> {
  const id = newId('webhook_endpoint');
  const secretId = newId('webhook_secret');
  const secret = makeSecret();
  const endpoint = await insertEndpoint(tx, ledger, {
    id,
    url: wanted.url,
    enabledEvents: uniqueTypes(wanted.enabled_events ?? null),
    description: wanted.description ?? null,
    eventVersion: EVENT_VERSION,
    secretId,
    secret: cipher.encrypt(secret, secretContext(ledger.ledgerId, id, secretId)),
  });
  return { ...endpoint, secret };
}
