import type { TeardownStep } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import { getTenantForUpdate } from '../../tenants/index.ts';
import type { InLedger } from '../calls/queries.ts';
import { findWebClient, insertWebClient, revokeWebClientRows } from './queries.ts';
import { releasesOf } from './release-web-client.ts';
import { newSipUsername } from './rules.ts';
import type { CreateWebClient, WebClient } from './schema.ts';
import { wakeWebClient } from './web-client-signal.ts';

/** Makes a web client. Errors: tenant_not_found, tenant_restricted_key. */
export async function createWebClient(tx: Tx, scope: Scope, wanted: CreateWebClient): Promise<WebClient> {
  // Locked, so that a tenant being deleted cannot be left with a web client.
  const { id: tenantId } = await getTenantForUpdate(tx, scope, wanted.tenant_id);
  const { name = null } = wanted;
  return insertWebClient(tx, scope, { id: newId('web_client'), tenantId, name, sipUsername: newSipUsername() });
}

/**
 * Ends a web client: its tokens open nothing any more, and it is logged out wherever it is, and off its calls.
 * One that has been revoked stays as
 * it is. Errors: web_client_not_found, tenant_restricted_key.
 */
export async function revokeWebClient(tx: Tx, scope: Scope, id: string): Promise<WebClient> {
  const found = visible(scope, await findWebClient(tx, scope, id), 'web_client_not_found');
  const [revoked] = await revokeWebClientRows(tx, scope, { id });
  if (revoked === undefined) return { ...found, status: 'revoked' };
  await endRevoked(tx, scope, [revoked]);
  return revoked;
}

/** Ends the web clients of a tenant that is being deleted. */
export const revokeTenantWebClients: TeardownStep = async (tx, scope, tenantId) =>
  endRevoked(tx, scope, await revokeWebClientRows(tx, scope, { tenantId }));

async function endRevoked(tx: Tx, { ledgerId }: InLedger, revoked: readonly WebClient[]): Promise<void> {
  const webClients = revoked.map(({ id }) => ({ ledgerId, webClientId: id }));
  for (const webClient of webClients) wakeWebClient(tx, webClient);
  await enqueue(tx, webClients.flatMap(releasesOf));
}
