import type { TeardownStep } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { isId, newId } from '../../../lib/ids.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import type { TenantAccess } from '../api-keys/change-keys.ts';
import { forgetCredentials } from '../api-keys/key-directory.ts';
import { hashKey } from '../api-keys/rules.ts';
import { insertSession, lockSession, revokeSession, revokeSessionsOfTenant } from './queries.ts';
import { LIFE_S, makeToken } from './rules.ts';
import type { BrowserSessionWithToken, CreateBrowserSession } from './schema.ts';

/** Access to modules that this one may not import. */
export type SessionAccess = {
  readonly tenants: TenantAccess;
  /** Throws unless the web client is active and belongs to the tenant. Error: web_client_not_found. */
  requireWebClient(tx: Tx, scope: Scope, wanted: { readonly id: string; readonly tenantId: string }): Promise<void>;
};

/**
 * Makes a session of a tenant for a browser. It ends with the key that minted it. Errors: tenant_not_found,
 * tenant_restricted_key, web_client_not_found.
 */
export async function createSession(
  tx: Tx,
  scope: Scope,
  wanted: CreateBrowserSession,
  { tenants, requireWebClient }: SessionAccess,
): Promise<BrowserSessionWithToken> {
  const { tenant_id, abilities, allowed_origins = null, web_client_id = null, reader = null } = wanted;
  // Without the lock, a concurrent deletion of the tenant would leave the session behind.
  await tenants.lock(tx, scope, tenant_id);
  if (web_client_id !== null) await requireWebClient(tx, scope, { id: web_client_id, tenantId: tenant_id });
  const token = makeToken(scope.mode);
  const session = await insertSession(tx, scope, {
    id: newId('browser_session'),
    ...{ tenant_id, abilities, allowed_origins, web_client_id, reader },
    tokenHash: hashKey(token),
    keyId: isId('api_key', scope.keyId) ? scope.keyId : null,
    lifeS: wanted.expires_in_seconds ?? LIFE_S.default,
  });
  return { ...session, token };
}

/**
 * Ends a session immediately. A session that has ended does not change. Errors: browser_session_not_found,
 * tenant_restricted_key.
 */
export async function endSession(tx: Tx, scope: Scope, id: string): Promise<void> {
  visible(scope, await lockSession(tx, scope, id), 'browser_session_not_found');
  forgetCredentials(tx, hashesOf(await revokeSession(tx, scope, id)));
}

/** Ends the browser sessions of a tenant that is being deleted. */
export const revokeTenantSessions: TeardownStep = async (tx, scope, tenantId) =>
  forgetCredentials(tx, hashesOf(await revokeSessionsOfTenant(tx, scope, tenantId)));

const hashesOf = (ended: readonly { token_hash: Buffer }[]) => ended.map(({ token_hash }) => token_hash);
