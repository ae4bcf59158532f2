import type { Db, Tx } from '../db/database.ts';
import { statement } from '../db/statement.ts';
import type { Scope } from '../lib/scope.ts';

/** Ledger time for which a key's first answer is repeated. */
export const IDEMPOTENCY_WINDOW = '24 hours';

export type StoredAnswer = {
  fingerprint: Buffer;
  /** Null while the request is being carried out in several steps. */
  status: number | null;
  response: Buffer | null;
  resource_id: string | null;
};

// A key that another transaction holds makes this wait; lock_timeout bounds the wait.
const BOUND_WAIT = statement('idempotency_bound_wait', `set local lock_timeout = '5s'`);
const UNBOUND_WAIT = statement('idempotency_unbound_wait', 'set local lock_timeout = 0');

const CLAIM = statement(
  'idempotency_claim',
  `insert into idempotency_keys (ledger_id, scope, key, fingerprint, created_at)
   values ($1, $2, $3, $4, ledger_now($1))
   on conflict (ledger_id, scope, key) do update
     set fingerprint = excluded.fingerprint, status = null, response = null, resource_id = null,
         created_at = excluded.created_at
     where idempotency_keys.created_at <= excluded.created_at - interval '${IDEMPOTENCY_WINDOW}'
   returning 1`,
);

/** True if the key is now this request's; false if an earlier request has it. Waits up to 5 s for a running one. */
export async function claimKey(tx: Tx, scope: Scope, key: string, fingerprint: Buffer): Promise<boolean> {
  await tx.query(BOUND_WAIT, []);
  const rows = await tx.query(CLAIM, [scope.ledgerId, scope.tenantId ?? '', key, fingerprint]);
  await tx.query(UNBOUND_WAIT, []);
  return rows.length > 0;
}

const FIND = statement(
  'idempotency_find',
  `select fingerprint, status, response, resource_id from idempotency_keys
   where ledger_id = $1 and scope = $2 and key = $3
     and created_at > ledger_now($1) - interval '${IDEMPOTENCY_WINDOW}'`,
);

export async function findAnswer(db: Db, scope: Scope, key: string): Promise<StoredAnswer | undefined> {
  const [row] = await db.query<StoredAnswer>(FIND, [scope.ledgerId, scope.tenantId ?? '', key]);
  return row;
}

const STORE = statement(
  'idempotency_store',
  `update idempotency_keys set status = $4, response = $5
   where ledger_id = $1 and scope = $2 and key = $3 and status is null`,
);

export async function storeAnswer(
  tx: Tx,
  scope: Scope,
  key: string,
  answer: { status: number; response: Buffer },
): Promise<void> {
  await tx.query(STORE, [scope.ledgerId, scope.tenantId ?? '', key, answer.status, answer.response]);
}

const FORGET = statement(
  'idempotency_forget',
  'delete from idempotency_keys where ledger_id = $1 and scope = $2 and key = $3 and status is null',
);

/** Gives the key back after a refusal, so that the corrected request may use it. */
export async function forgetKey(tx: Tx, scope: Scope, key: string): Promise<void> {
  await tx.query(FORGET, [scope.ledgerId, scope.tenantId ?? '', key]);
}

// Ledger time is never behind the wall, so the index on created_at finds what is old in every ledger. Test ledgers
// whose clock was moved have rows that are old only by that clock: those are few, and found by ledger.
const DELETE_EXPIRED = statement(
  'idempotency_delete_expired',
  `with expired as (
     (select ledger_id, scope, key from idempotency_keys
      where created_at <= clock_timestamp() - interval '${IDEMPOTENCY_WINDOW}' limit $1)
     union
     (select k.ledger_id, k.scope, k.key from ledgers l join idempotency_keys k on k.ledger_id = l.id
      where l.clock_offset > '0' and k.created_at <= clock_timestamp() + l.clock_offset - interval '${IDEMPOTENCY_WINDOW}'
      limit $1)
   )
   delete from idempotency_keys k using (select * from expired limit $1) e
   where k.ledger_id = e.ledger_id and k.scope = e.scope and k.key = e.key returning 1`,
);

/** Deletes at most so many keys that no repeat can meet any more; returns how many it were. */
export async function deleteExpiredKeys(db: Db, rowsMax: number): Promise<number> {
  return (await db.query(DELETE_EXPIRED, [rowsMax])).length;
}
