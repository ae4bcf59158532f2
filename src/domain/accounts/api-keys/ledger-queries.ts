/** The API's statements on keys of one ledger. They use the wall clock: keys open the ledger and outlive a reset. */
import type { Db, Tx } from '../../../db/database.ts';
import { inputOf } from '../../../db/input.ts';
import { tenantReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { SESSION_IN_FORCE } from '../browser-sessions/queries.ts';
import { RATE } from './queries.ts';
import type { ApiKey } from './schema.ts';

const COLUMNS = `k.id, 'api_key' as object, k.name, k.tenant_id,
  (select l.mode from ledgers l where l.id = k.ledger_id) as mode, k.permissions, ${RATE}, k.last4, k.created_at,
  k.last_used_at, k.expires_at`;
const IN_FORCE = 'k.revoked_at is null and (k.expires_at is null or k.expires_at > now())';

const readList = tenantReader<ApiKey>({
  name: 'api_keys_list_in_force',
  from: ['api_keys', 'k'],
  columns: COLUMNS,
  where: 'k.revoked_at is null',
  shown: IN_FORCE,
});

/** Lists the keys in force, newest first. */
export function listKeys(
  db: Db,
  { ledgerId }: Ledger,
  page: { tenantId: string | null; before: string | null; rows: number },
): Promise<ApiKey[]> {
  return readList(db, ledgerId, page);
}

const FIND = statement(
  'api_keys_find_in_force',
  `select ${COLUMNS}, k.rate_limit as own_rate_limit from api_keys k
   where k.ledger_id = $1 and k.id = $2 and ${IN_FORCE}`,
);

type FoundKey = ApiKey & { readonly own_rate_limit: number | null };

/** Finds a key in force. */
export async function findKey(db: Db, { ledgerId }: Ledger, id: string): Promise<FoundKey | undefined> {
  const [row] = await db.query<FoundKey>(FIND, [ledgerId, id]);
  return row;
}

/** The hash of a key or console session that has ended. Nodes find their cached copy with it. */
export type EndedKey = { key_hash: Buffer };

const EXPIRE = statement(
  'api_keys_expire_in_ledger',
  `update api_keys k set expires_at = least(k.expires_at, now() + make_interval(secs => $3))
   where k.ledger_id = $1 and k.id = $2 and ${IN_FORCE} returning k.key_hash`,
);

/** Makes a key in force expire after `seconds`. A key that expires earlier is not changed. */
export async function expireKey(
  tx: Tx,
  { ledgerId }: Ledger,
  id: string,
  seconds: number,
): Promise<EndedKey | undefined> {
  const [row] = await tx.query<EndedKey>(EXPIRE, [ledgerId, id, seconds]);
  return row;
}

const REVOKE = statement(
  'api_keys_revoke_in_ledger',
  `update api_keys k set revoked_at = coalesce(k.revoked_at, now())
   where k.ledger_id = $1 and k.id = $2 returning k.key_hash, k.tenant_id`,
);

type RevokedKey = EndedKey & { readonly tenant_id: string | null };

/** Ends a key immediately. A key that has ended is returned unchanged. */
export async function revokeKey(tx: Tx, { ledgerId }: Ledger, id: string): Promise<RevokedKey | undefined> {
  const [row] = await tx.query<RevokedKey>(REVOKE, [ledgerId, id]);
  return row;
}

type KeyName = { readonly ledgerId: number; readonly keyId: string };

const KEYS = inputOf<KeyName>('keys', {
  ledger_id: ['int', ({ ledgerId }) => ledgerId],
  id: ['text', ({ keyId }) => keyId],
});

const FIND_ENDED = statement<{ readonly keys: readonly KeyName[] }, { readonly id: string }>(
  'api_keys_find_ended',
  `select r.id from ${KEYS.rows('r')}
   where not exists (select 1 from api_keys k where k.ledger_id = r.ledger_id and k.id = r.id and ${IN_FORCE})
     and not exists (
       select 1 from browser_sessions s where s.ledger_id = r.ledger_id and s.id = r.id and ${SESSION_IN_FORCE})
     and not exists (select 1 from console_sessions s where s.id = r.id and s.expires_at > now())`,
);

/** Returns the ids of the given keys, browser sessions and console sessions that are not in force. */
export async function findEndedKeys(db: Db, keys: readonly KeyName[]): Promise<ReadonlySet<string>> {
  const rows = await db.query(FIND_ENDED, { keys });
  return new Set(rows.map(({ id }) => id));
}

const REVOKE_OF_TENANT = statement(
  'api_keys_revoke_of_tenant',
  `update api_keys k set revoked_at = now()
   where k.ledger_id = $1 and k.tenant_id = $2 and k.revoked_at is null returning k.id, k.key_hash`,
);

export function revokeKeysOfTenant(
  tx: Tx,
  { ledgerId }: Ledger,
  tenantId: string,
): Promise<(EndedKey & { id: string })[]> {
  return tx.query(REVOKE_OF_TENANT, [ledgerId, tenantId]);
}
