import type { Db } from '../../../db/database.ts';
import { PAUSED_SQL } from '../../../db/pause.ts';
import { statement } from '../../../db/statement.ts';
import type { KeyHolder } from '../../../http/edge/authenticate.ts';
import { KEY_RATE } from '../../../http/limits/rate-limit.ts';
import type { KeyPermissions, Mode } from '../../../lib/scope.ts';

// One statement finds the key and, at most once a minute, records that it was used.
const FIND_HOLDER = statement(
  'api_keys_find_holder',
  `with holder as (
     select k.id as key_id, k.tenant_id, l.id as ledger_id, l.account_id, l.mode, l.state, l.moved_to, k.permissions,
            a.status as account_status,
            coalesce(k.rate_limit, a.rate_limit) as rate_limit,
            k.expires_at, k.last_used_at is null or k.last_used_at < now() - interval '1 minute' as stale
     from api_keys k join ledgers l on l.id = k.ledger_id join accounts a on a.id = l.account_id
     where k.key_hash = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
   ), touched as (
     update api_keys k set last_used_at = now() from holder h
     where h.stale and k.ledger_id = h.ledger_id and k.id = h.key_id
   )
   select key_id, tenant_id, ledger_id, account_id, mode, state, moved_to, permissions, account_status, rate_limit,
          expires_at, ${PAUSED_SQL} as is_paused
   from holder`,
);

/** Finds the holder of the key with this hash, if it is in force. Needs no scope: the scope is made from the holder. */
export async function findKeyHolder(db: Db, keyHash: Buffer): Promise<KeyHolder | undefined> {
  const [holder] = await db.query<KeyHolder>(FIND_HOLDER, [keyHash]);
  return holder;
}

export type ApiKeyRow = {
  ledger_id: number;
  id: string;
  name: string;
  tenant_id: string | null;
  mode: Mode;
  permissions: KeyPermissions;
  rate_limit: number;
  /** Null if the limit of the account applies. */
  own_rate_limit: number | null;
  last4: string;
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
};

/** Requests per second of a key `k`: the limit of the key, else of its account, else of the program. */
export const RATE = `coalesce(
  k.rate_limit,
  (select a.rate_limit from ledgers l join accounts a on a.id = l.account_id where l.id = k.ledger_id),
  ${KEY_RATE}) as rate_limit`;

const COLUMNS = `k.ledger_id, k.id, k.name, k.tenant_id, l.mode, k.permissions, ${RATE}, k.rate_limit as own_rate_limit,
  k.last4, k.created_at, k.last_used_at, k.expires_at, k.revoked_at`;

const INSERT = statement<NewKeyRow & { ledgerId: number }, ApiKeyRow>(
  'api_keys_insert',
  `with k as (
     insert into api_keys (ledger_id, id, name, tenant_id, permissions, rate_limit, key_hash, last4)
     values (:ledgerId, :id, :name, :tenantId, :permissions, :rateLimit, :keyHash, :last4) returning *
   )
   select ${COLUMNS} from k join ledgers l on l.id = k.ledger_id`,
);

export type NewKeyRow = {
  id: string;
  name: string;
  tenantId: string | null;
  permissions: KeyPermissions;
  /** Null if the limit of the account applies. */
  rateLimit: number | null;
  keyHash: Buffer;
  last4: string;
};

export async function insertKey(db: Db, ledgerId: number, key: NewKeyRow): Promise<ApiKeyRow> {
  const [row] = await db.query(INSERT, { ledgerId, ...key });
  return row as ApiKeyRow;
}

const LIST_OF_ACCOUNT = statement(
  'api_keys_list_of_account',
  `select ${COLUMNS} from api_keys k join ledgers l on l.id = k.ledger_id where l.account_id = $1 order by k.id`,
);

export function listKeysOfAccount(db: Db, accountId: string): Promise<ApiKeyRow[]> {
  return db.query(LIST_OF_ACCOUNT, [accountId]);
}

const REVOKE = statement(
  'api_keys_revoke',
  `with k as (
     update api_keys set revoked_at = coalesce(revoked_at, now()) where id = $1 returning *
   )
   select ${COLUMNS} from k join ledgers l on l.id = k.ledger_id`,
);

/** Revokes a key for the operator: by its id alone, in any account. */
export async function revokeKeyById(db: Db, keyId: string): Promise<ApiKeyRow | undefined> {
  const [row] = await db.query<ApiKeyRow>(REVOKE, [keyId]);
  return row;
}

const EXPIRE = statement(
  'api_keys_expire',
  `with k as (
     update api_keys set expires_at = least(expires_at, now() + make_interval(secs => $2))
     where id = $1 and revoked_at is null and (expires_at is null or expires_at > now()) returning *
   )
   select ${COLUMNS} from k join ledgers l on l.id = k.ledger_id`,
);

/** Makes a key in force expire after `seconds`. A key that expires earlier is not changed. */
export async function expireKeyById(db: Db, keyId: string, seconds: number): Promise<ApiKeyRow | undefined> {
  const [row] = await db.query<ApiKeyRow>(EXPIRE, [keyId, seconds]);
  return row;
}
