import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { KeyPermissions, Mode } from '../../../lib/scope.ts';
import { type ApiKeyRow, expireKeyById, insertKey } from './queries.ts';
import { hashKey, makeKey } from './rules.ts';

/** A new key. `key` is the only copy of the secret: only its hash is stored. */
export type IssuedKey = ApiKeyRow & { key: string };

/** A requested key. Without `permissions` it may write; without `rateLimit` it has the limit of its account. */
type WantedKey = {
  name: string;
  tenantId: string | null;
  permissions?: KeyPermissions | undefined;
  rateLimit?: number | null;
};

/** Makes a key for a ledger, account-wide or for one tenant. */
export async function issueKey(
  tx: Tx,
  ledger: { ledgerId: number; mode: Mode },
  { name, tenantId, permissions = 'write', rateLimit = null }: WantedKey,
): Promise<IssuedKey> {
  const key = makeKey(ledger.mode);
  const row = await insertKey(tx, ledger.ledgerId, {
    id: newId('api_key'),
    ...{ name, tenantId, permissions, rateLimit },
    keyHash: hashKey(key),
    last4: key.slice(-4),
  });
  return { ...row, key };
}

/**
 * Replaces a key by a new one with the same name, tenant and permissions. The old key stays valid for `overlapS`
 * seconds.
 * @returns undefined if the key is unknown or no longer in force
 */
export async function rotateKey(tx: Tx, keyId: string, overlapS: number): Promise<IssuedKey | undefined> {
  const old = await expireKeyById(tx, keyId, overlapS);
  if (old === undefined) return undefined;
  const { name, tenant_id: tenantId, permissions, own_rate_limit: rateLimit } = old;
  return issueKey(tx, { ledgerId: old.ledger_id, mode: old.mode }, { name, tenantId, permissions, rateLimit });
}
