import type { TeardownStep } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { newId } from '../../../lib/ids.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import { lockE911Address } from '../../numbers/index.ts';
import { getTenantForUpdate } from '../../tenants/index.ts';
import type { InLedger } from '../calls/queries.ts';
import { findActiveWebClient, findWebClient, insertWebClient, revokeWebClientRows } from './queries.ts';
import { releaseJobs } from './release-web-client.ts';
import { newSipUsername } from './rules.ts';
import type { CreateWebClient, WebClient } from './schema.ts';
import { wakeWebClient } from './web-client-signal.ts';

/** Creates a web client. Errors: tenant_not_found, tenant_restricted_key, e911_address_not_found. */
export async function createWebClient(tx: Tx, scope: Scope, wanted: CreateWebClient): Promise<WebClient> {
  // Without the lock, this web client could survive a concurrent deletion of its tenant.
  const { id: tenantId } = await getTenantForUpdate(tx, scope, wanted.tenant_id);
  const { name = null, e911_address_id: addressId = null } = wanted;
  if (addressId !== null && (await lockE911Address(tx, scope, addressId)) !== tenantId) {
    throw new ApiError('e911_address_not_found', { param: 'e911_address_id' });
  }
  const made = { id: newId('web_client'), tenantId, name, sipUsername: newSipUsername(), addressId };
  return insertWebClient(tx, scope, made);
}

/** Throws unless the web client is an active web client of the tenant. Error: web_client_not_found. */
export async function requireWebClient(
  tx: Tx,
  scope: Scope,
  { id, tenantId }: { readonly id: string; readonly tenantId: string },
): Promise<void> {
  const found = await findActiveWebClient(tx, scope, id);
  if (found?.tenant_id !== tenantId) throw new ApiError('web_client_not_found', { param: 'web_client_id' });
}

/**
 * Revokes a web client: its tokens are refused, its session is closed, and its legs are hung up. If it is already
 * revoked, nothing changes. Errors: web_client_not_found, tenant_restricted_key.
 */
export async function revokeWebClient(tx: Tx, scope: Scope, id: string): Promise<WebClient> {
  const found = visible(scope, await findWebClient(tx, scope, id), 'web_client_not_found');
  const [revoked] = await revokeWebClientRows(tx, scope, { id });
  if (revoked === undefined) return { ...found, status: 'revoked' };
  await endSessions(tx, scope, [revoked]);
  return revoked;
}

/** Revokes the web clients of a tenant that is being deleted. */
export const revokeTenantWebClients: TeardownStep = async (tx, scope, tenantId) =>
  endSessions(tx, scope, await revokeWebClientRows(tx, scope, { tenantId }));

async function endSessions(tx: Tx, { ledgerId }: InLedger, revoked: readonly WebClient[]): Promise<void> {
  const webClients = revoked.map(({ id }) => ({ ledgerId, webClientId: id }));
  for (const webClient of webClients) wakeWebClient(tx, webClient);
  await enqueue(tx, webClients.flatMap(releaseJobs));
}
