import type { TeardownStep } from '../../../context.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Scope } from '../../../lib/scope.ts';
import { recordActions } from '../../audit/index.ts';
import { type IssuedKey, issueKey } from './issue-key.ts';
import { forgetKeys } from './key-directory.ts';
import { expireKey, findKey, revokeKey, revokeKeysOfTenant } from './ledger-queries.ts';
import { OVERLAP_S } from './rules.ts';
import type { ApiKeyWithSecret, CreateApiKey, RotateApiKey } from './schema.ts';

/** Access to tenants, which keys may be restricted to. This module may not import the tenants module. */
export type TenantAccess = {
  /** Returns the tenant, locked against deletion until the transaction ends. Errors: tenant_not_found. */
  lock(tx: Tx, scope: Scope, id: string): Promise<unknown>;
  /** Returns the tenant to filter a list by, null for all. Errors: tenant_not_found. */
  filter(db: Db, scope: Scope, id: string | undefined): Promise<string | null>;
};

/** Makes a key in the caller's mode, for the account or for one tenant. Errors: tenant_not_found. */
export async function createKey(
  tx: Tx,
  scope: Scope,
  { name, tenant_id: tenantId = null, permissions }: CreateApiKey,
  tenants: TenantAccess,
): Promise<ApiKeyWithSecret> {
  // Without the lock, a concurrent deletion of the tenant would leave the key behind.
  if (tenantId !== null) await tenants.lock(tx, scope, tenantId);
  const issued = await issueKey(tx, scope, { name, tenantId, permissions });
  const details = detailsOf(issued);
  await recordActions(tx, scope, [{ action: 'api_key.created', resourceId: issued.id, tenantId, details }]);
  return published(issued);
}

type Rotation = { id: string; change: RotateApiKey; tenants: TenantAccess };

/**
 * Replaces a key in force by a new one with the same name, tenant and permissions. The old key stays valid for
 * `expires_in_seconds`. Errors: api_key_not_found.
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
  // Also needed during an overlap: connections that open with the old key from now on must know when it expires.
  forgetKeys(tx, [ending]);
  const issued = await issueKey(tx, scope, {
    ...{ name: old.name, tenantId: old.tenant_id, permissions: old.permissions },
    rateLimit: old.own_rate_limit,
  });
  const details = { ...detailsOf(issued), new_key_id: issued.id, expires_in_seconds: overlapS };
  await recordActions(tx, scope, [{ action: 'api_key.rotated', resourceId: id, tenantId: old.tenant_id, details }]);
  return published(issued);
}

/**
 * Ends a key immediately; it may be the caller's own. Revoking an ended key again is no error. Errors:
 * api_key_not_found.
 */
export async function revokeLedgerKey(tx: Tx, scope: Scope, id: string): Promise<void> {
  const ended = await revokeKey(tx, scope, id);
  if (ended === undefined) throw new ApiError('api_key_not_found');
  await recordActions(tx, scope, [{ action: 'api_key.revoked', resourceId: id, tenantId: ended.tenant_id }]);
  forgetKeys(tx, [ended]);
}

/** Ends the keys of a tenant that is being deleted. */
export const revokeTenantKeys: TeardownStep = async (tx, scope, tenantId) => {
  const ended = await revokeKeysOfTenant(tx, scope, tenantId);
  const details = { because: 'tenant.deleted', tenant_id: tenantId };
  await recordActions(
    tx,
    scope,
    ended.map(({ id }) => ({ action: 'api_key.revoked', resourceId: id, tenantId, details })),
  );
  forgetKeys(tx, ended);
};

function detailsOf({ tenant_id, permissions, last4 }: Pick<IssuedKey, 'tenant_id' | 'permissions' | 'last4'>) {
  return { tenant_id, permissions, last4 };
}

function published({ ledger_id: _, revoked_at: __, own_rate_limit: ___, ...row }: IssuedKey): ApiKeyWithSecret {
  return { object: 'api_key', ...row };
}
