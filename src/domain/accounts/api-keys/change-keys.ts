import type { TeardownStep } from '../../../context.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors.ts';
import type { Scope } from '../../../lib/scope.ts';
import { type IssuedKey, issueKey } from './issue-key.ts';
import { forgetKeys } from './key-directory.ts';
import { expireKey, findKey, revokeKey, revokeKeysOfTenant } from './ledger-queries.ts';
import { OVERLAP_S } from './rules.ts';
import type { ApiKeyWithSecret, CreateApiKey, RotateApiKey } from './schema.ts';

/** How a module below this one reaches the tenants that keys may be narrowed to. */
export type TenantAccess = {
  /** The tenant, which then is not deleted before the transaction ends. Errors: tenant_not_found. */
  lock(tx: Tx, scope: Scope, id: string): Promise<unknown>;
  /** The tenant a list is about, null for all. Errors: tenant_not_found. */
  filter(db: Db, scope: Scope, id: string | undefined): Promise<string | null>;
};

/** Makes a key of the caller's own mode, for the account or for one tenant. Errors: tenant_not_found. */
export async function createKey(
  tx: Tx,
  scope: Scope,
  { name, tenant_id: tenantId = null }: CreateApiKey,
  tenants: TenantAccess,
): Promise<ApiKeyWithSecret> {
  // Without the lock a tenant being deleted at this moment would be left with a key.
  if (tenantId !== null) await tenants.lock(tx, scope, tenantId);
  return published(await issueKey(tx, scope, { name, tenantId }));
}

type Rotation = { id: string; change: RotateApiKey; tenants: TenantAccess };

/**
 * Replaces a key in force by a new one of the same name and reach; the old one goes on for `expires_in_seconds`.
 * Errors: api_key_not_found.
 */
export async function rotateLedgerKey(
  tx: Tx,
  scope: Scope,
  { id, change, tenants }: Rotation,
): Promise<ApiKeyWithSecret> {
  const old = await findKey(tx, scope, id);
  if (old === undefined) throw new ApiError('api_key_not_found');
  if (old.tenant_id !== null) await tenants.lock(tx, scope, old.tenant_id);
  const overlapS = change.expires_in_seconds ?? OVERLAP_S;
  const ending = await expireKey(tx, scope, id, overlapS);
  if (ending === undefined) throw new ApiError('api_key_not_found');
  // With an overlap too: what is made with the old key from now on tells when it ends.
  forgetKeys(tx, [ending]);
  return published(await issueKey(tx, scope, { name: old.name, tenantId: old.tenant_id }));
}

/** Ends a key at once, the caller's own too. One that has ended already is none to complain of. Errors: api_key_not_found. */
export async function revokeLedgerKey(tx: Tx, scope: Scope, id: string): Promise<void> {
  const ended = await revokeKey(tx, scope, id);
  if (ended === undefined) throw new ApiError('api_key_not_found');
  forgetKeys(tx, [ended]);
}

/** Ends the keys of a tenant that is being deleted. */
export const revokeTenantKeys: TeardownStep = async (tx, scope, tenantId) => {
  forgetKeys(tx, await revokeKeysOfTenant(tx, scope, tenantId));
};

function published({ ledger_id: _, revoked_at: __, ...row }: IssuedKey): ApiKeyWithSecret {
  return { object: 'api_key', ...row };
}
