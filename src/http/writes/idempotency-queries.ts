import type { Db, Tx } from '../../db/database.ts';
import { isLockTimeout } from '../../db/error-codes.ts';
import { statement } from '../../db/statement.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import type { Scope } from '../../lib/scope.ts';

/** For this time (ledger time), a repeat gets the first answer of its key. */
export const IDEMPOTENCY_WINDOW = '24 hours';

export type StoredAnswer = {
  fingerprint: Buffer;
  /** Null while a request of several steps runs. */
  status: number | null;
  response: Buffer | null;
  resource_id: string | null;
};

// A claim waits while another transaction holds the key. lock_timeout limits the wait.
const BOUND_WAIT = statement('idempotency_bound_wait', `set local lock_timeout = '5s'`);
const UNBOUND_WAIT = statement('idempotency_unbound_wait', 'set local lock_timeout = 0');

const CLAIM = statement(
  'idempotency_claim',
  `insert into idempotency_keys (ledger_id, scope, key, fingerprint, created_at, lease_until)
   values ($1, $2, $3, $4, ledger_now($1), clock_timestamp() + make_interval(secs => $5))
   on conflict (ledger_id, scope, key) do update
     set fingerprint = excluded.fingerprint, status = null, response = null, resource_id = null,
         created_at = excluded.created_at, lease_until = excluded.lease_until
     where case
       when idempotency_keys.lease_until is null
       then idempotency_keys.created_at <= excluded.created_at - interval '${IDEMPOTENCY_WINDOW}'
       else idempotency_keys.lease_until <= clock_timestamp() end
   returning 1`,
);

/** Returns the refusal of a repeat that comes while the first request runs. */
export function inProgress(cause?: unknown): ApiError {
  return new ApiError('idempotency_in_progress', { param: 'Idempotency-Key', retryAfterS: 1, cause });
}

/** Claims the key. Returns false if an earlier request has it. Waits up to 5 s for a running request. */
export function claimKey(tx: Tx, scope: Scope, key: string, fingerprint: Buffer): Promise<boolean> {
  return claim(tx, scope, { key, fingerprint, leaseS: null });
}

/** A key with the request it stands for. */
type Keyed = { readonly key: string; readonly fingerprint: Buffer };

/**
 * Claims the key, as `claimKey` does. The claim lasts `leaseS` seconds of wall time, until it is renewed or answered.
 */
export function leaseKey(tx: Tx, scope: Scope, keyed: Keyed, leaseS: number): Promise<boolean> {
  return claim(tx, scope, { ...keyed, leaseS });
}

async function claim(
  tx: Tx,
  scope: Scope,
  { key, fingerprint, leaseS }: Keyed & { leaseS: number | null },
): Promise<boolean> {
  await tx.query(BOUND_WAIT, []);
  const values = [scope.ledgerId, scope.tenantId ?? '', key, fingerprint, leaseS];
  const rows = await tx.query(CLAIM, values).catch((error: unknown) => {
    throw isLockTimeout(error) ? inProgress(error) : error;
  });
  await tx.query(UNBOUND_WAIT, []);
  return rows.length > 0;
}

const FIND = statement(
  'idempotency_find',
  `select fingerprint, status, response, resource_id from idempotency_keys
   where ledger_id = $1 and scope = $2 and key = $3
     and (created_at > ledger_now($1) - interval '${IDEMPOTENCY_WINDOW}' or lease_until > clock_timestamp())`,
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

const RENEW = statement(
  'idempotency_renew_lease',
  `update idempotency_keys set lease_until = clock_timestamp() + make_interval(secs => $4)
   where ledger_id = $1 and scope = $2 and key = $3 and lease_until is not null`,
);

export async function renewLease(db: Db, scope: Scope, key: string, leaseS: number): Promise<void> {
  await db.query(RENEW, [scope.ledgerId, scope.tenantId ?? '', key, leaseS]);
}

// The request may have changed the ledger's clock, or deleted the ledger's rows and with them the claim. The answer is
// stored in any case, with the current ledger time.
const STORE_LEASED = statement(
  'idempotency_store_leased',
  `insert into idempotency_keys (ledger_id, scope, key, fingerprint, status, response, created_at)
   values ($1, $2, $3, $4, $5, $6, ledger_now($1))
   on conflict (ledger_id, scope, key) do update
     set status = excluded.status, response = excluded.response, created_at = excluded.created_at, lease_until = null
     where idempotency_keys.lease_until is not null and idempotency_keys.fingerprint = excluded.fingerprint`,
);

/** Stores the answer to a request that has leased its key. */
export async function storeLeasedAnswer(
  db: Db,
  scope: Scope,
  { key, fingerprint }: Keyed,
  { status, response }: { status: number; response: Buffer },
): Promise<void> {
  await db.query(STORE_LEASED, [scope.ledgerId, scope.tenantId ?? '', key, fingerprint, status, response]);
}

const FORGET = statement(
  'idempotency_forget',
  'delete from idempotency_keys where ledger_id = $1 and scope = $2 and key = $3 and status is null',
);

/** Deletes an unanswered key after a refusal, so that the corrected request may use it. */
export async function forgetKey(tx: Db, scope: Scope, key: string): Promise<void> {
  await tx.query(FORGET, [scope.ledgerId, scope.tenantId ?? '', key]);
}

// Ledger time is never behind wall time, so the index on created_at finds the rows that are old in any ledger. A test
// ledger whose clock was moved has rows that are old by that clock only. There are few of these ledgers, and each is
// searched separately. No index serves clock_timestamp().
const UNLEASED = '(lease_until is null or lease_until <= clock_timestamp())';
const DELETE_EXPIRED = statement(
  'idempotency_delete_expired',
  `with expired as (
     (select ledger_id, scope, key from idempotency_keys
      where created_at <= statement_timestamp() - interval '${IDEMPOTENCY_WINDOW}' and ${UNLEASED} limit $1)
     union
     (select k.ledger_id, k.scope, k.key from ledgers l join idempotency_keys k on k.ledger_id = l.id
      where l.clock_offset > '0' and k.created_at <= statement_timestamp() + l.clock_offset - interval '${IDEMPOTENCY_WINDOW}'
        and ${UNLEASED}
      limit $1)
   )
   delete from idempotency_keys k using (select * from expired limit $1) e
   where k.ledger_id = e.ledger_id and k.scope = e.scope and k.key = e.key returning 1`,
);

/** Deletes at most `rowsMax` expired keys; returns the number deleted. */
export async function deleteExpiredKeys(db: Db, rowsMax: number): Promise<number> {
  return (await db.query(DELETE_EXPIRED, [rowsMax])).length;
}

const READ_SOME = statement(
  'idempotency_read_answers',
  `select k.scope, k.key, k.response, k.resource_id is not null and not exists (
     select 1 from messages m where m.ledger_id = k.ledger_id and m.id = k.resource_id) as has_lost_message
   from idempotency_keys k where k.ledger_id = $1 and (k.scope, k.key) > ($2, $3)
   order by k.scope, k.key limit $4 for no key update of k`,
);

type KeptAnswer = {
  readonly scope: string;
  readonly key: string;
  /** Null while a request runs. Null for a sent text too: a repeat reads the row of that text. */
  readonly response: Buffer | null;
  readonly has_lost_message: boolean;
};

/** Locks stored replies of a ledger and returns them in the order of their keys. */
export function readAnswers(
  tx: Tx,
  ledgerId: number,
  after: { readonly scope: string; readonly key: string },
  rowsMax: number,
): Promise<KeptAnswer[]> {
  return tx.query(READ_SOME, [ledgerId, after.scope, after.key, rowsMax]);
}

const REPLACE = statement(
  'idempotency_replace_answers',
  `update idempotency_keys k set response = u.response
   from unnest($2::text[], $3::text[], $4::bytea[]) as u (scope, key, response)
   where k.ledger_id = $1 and k.scope = u.scope and k.key = u.key`,
);

/** Replaces stored replies that `readAnswers` has locked. */
export async function replaceAnswers(
  tx: Tx,
  ledgerId: number,
  answers: readonly { readonly scope: string; readonly key: string; readonly response: Buffer }[],
): Promise<void> {
  await tx.query(REPLACE, [
    ledgerId,
    answers.map(({ scope }) => scope),
    answers.map(({ key }) => key),
    answers.map(({ response }) => response),
  ]);
}

const DELETE_SOME = statement(
  'idempotency_delete_answers',
  `delete from idempotency_keys k using unnest($2::text[], $3::text[]) as u (scope, key)
   where k.ledger_id = $1 and k.scope = u.scope and k.key = u.key`,
);

/** Deletes stored replies that `readAnswers` has locked, with their keys. */
export async function deleteAnswers(
  tx: Tx,
  ledgerId: number,
  answers: readonly { readonly scope: string; readonly key: string }[],
): Promise<void> {
  await tx.query(DELETE_SOME, [ledgerId, answers.map(({ scope }) => scope), answers.map(({ key }) => key)]);
}
