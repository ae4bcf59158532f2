import type { Db, Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

/** `absent`: the carrier certainly does not have the request. */
export type BookOutcome = 'accepted' | 'rejected' | 'absent';

/** The name of a request: an operation on one of our objects, at one connection. */
export type RequestName = { readonly connectionId: string; readonly operation: string; readonly ref: string };

/** A request in the book. */
export type BookEntry = {
  readonly id: string;
  readonly ledgerId: number;
  /** Null while the outcome is unknown. */
  readonly outcome: BookOutcome | null;
  readonly answer: unknown;
};

type AgedEntry = BookEntry & {
  /** The time since the request was first sent. */
  readonly ageMs: number;
};

// Opens a new request, or a request that the carrier certainly does not have. Any other request is only read.
const OPEN = statement(
  'carrier_requests_open',
  `with opened as (
     insert into carrier_requests as r (id, connection_id, ledger_id, operation, ref) values ($1, $2, $3, $4, $5)
     on conflict (connection_id, operation, ref) do update
       set outcome = null, answer = null, settled_at = null, attempts = r.attempts + 1, sent_at = clock_timestamp()
       where r.outcome = 'absent'
     returning id, ledger_id
   )
   select true as opened, id, ledger_id as "ledgerId", null as outcome, null::json as answer from opened
   union all
   select false, id, ledger_id, outcome, answer from carrier_requests
   where connection_id = $2 and operation = $4 and ref = $5 and not exists (select 1 from opened)`,
);

type Intent = RequestName & { readonly id: string; readonly ledgerId: number };

/**
 * Stores the intent of a request that is new, or that the carrier does not have. `opened` is false if the book has the
 * request already. In that case the request must not be sent, and the entry has its state.
 */
export async function openRequest(db: Db, intent: Intent): Promise<BookEntry & { readonly opened: boolean }> {
  const { id, connectionId, ledgerId, operation, ref } = intent;
  const values = [id, connectionId, ledgerId, operation, ref];
  const [row] = await db.query<BookEntry & { opened: boolean }>(OPEN, values);
  if (row !== undefined) return row;
  // A concurrent transaction has inserted the row after this statement began. So this statement does not see the row.
  const found = await findRequest(db, intent);
  if (found === undefined) throw new Error(`the request ${operation} of ${ref} has vanished from the book`);
  return { ...found, opened: false };
}

const SETTLE = statement(
  'carrier_requests_settle',
  `update carrier_requests set outcome = $2, answer = $3::json, settled_at = clock_timestamp()
   where id = $1 and outcome is null`,
);

/** Records the outcome of a request, unless it already has one. */
export async function settleRequest(
  db: Db,
  id: string,
  { outcome, answer }: { outcome: BookOutcome; answer: unknown },
): Promise<void> {
  await db.query(SETTLE, [id, outcome, JSON.stringify(answer)]);
}

const RESEND = statement(
  'carrier_requests_resend',
  `update carrier_requests set attempts = attempts + 1
   where id = $1 and outcome is null and sent_at > clock_timestamp() - make_interval(secs => $2::float8 / 1000)
   returning 1`,
);

/** Counts another attempt of a request that may be repeated for `windowMs`. Returns false if that time is over. */
export async function countResend(db: Db, id: string, windowMs: number): Promise<boolean> {
  return (await db.query(RESEND, [id, windowMs])).length > 0;
}

const FIND = statement(
  'carrier_requests_find',
  `select id, ledger_id as "ledgerId", outcome, answer,
     extract(epoch from clock_timestamp() - sent_at)::float8 * 1000 as "ageMs"
   from carrier_requests where connection_id = $1 and operation = $2 and ref = $3`,
);

export async function findRequest(
  db: Db,
  { connectionId, operation, ref }: RequestName,
): Promise<AgedEntry | undefined> {
  const [row] = await db.query<AgedEntry>(FIND, [connectionId, operation, ref]);
  return row;
}

const LIST_OPEN = statement(
  'carrier_requests_list_open',
  `select r.id, c.name as connection, r.operation, r.ref, r.attempts, r.sent_at
   from (select id, connection_id, operation, ref, attempts, sent_at from carrier_requests
     where outcome is null and sent_at < statement_timestamp() - make_interval(secs => $1::float8 / 1000)
     order by sent_at limit 10000) r
   join carrier_connections c on c.id = r.connection_id
   where $3::text is null or r.connection_id = $3
   order by r.sent_at limit $2`,
);

/** A younger request is not in doubt: its answer may still arrive, or a query may still decide. */
export const OPEN_AFTER_MS = 60_000;

type OpenRequest = {
  readonly id: string;
  readonly connection: string;
  readonly operation: string;
  readonly ref: string;
  readonly attempts: number;
  readonly sent_at: Date;
};

/**
 * Returns requests without an outcome that were sent more than `olderMs` ago, oldest first. They are of one connection,
 * or of all. Reads only the first 10,000 of all connections.
 */
export async function listOpenRequests(
  db: Db,
  { connectionId, olderMs, rows }: { connectionId: string | null; olderMs: number; rows: number },
): Promise<OpenRequest[]> {
  return await db.query<OpenRequest>(LIST_OPEN, [olderMs, rows, connectionId]);
}

const SETTLE_BY_HAND = statement(
  'carrier_requests_settle_by_hand',
  `update carrier_requests set outcome = $2, by_hand = true, settled_at = clock_timestamp()
   where id = $1 and outcome is null and ($3::text is null or connection_id = $3) returning operation, ref`,
);

/**
 * Records the outcome that a person has found. Returns undefined if the request has an outcome already or does not
 * exist.
 */
export async function settleByHand(
  tx: Tx,
  { id, connectionId }: { id: string; connectionId: string | null },
  outcome: 'accepted' | 'absent',
): Promise<{ readonly operation: string; readonly ref: string } | undefined> {
  const [row] = await tx.query<{ operation: string; ref: string }>(SETTLE_BY_HAND, [id, outcome, connectionId]);
  return row;
}

const SWEEP = statement(
  'carrier_requests_sweep',
  `delete from carrier_requests where id in (
     select id from carrier_requests where settled_at < statement_timestamp() - interval '7 days'
     order by settled_at limit $1)
   returning 1`,
);

/** Deletes up to `rows` requests that were settled 7 days ago. Returns their number. */
export async function sweepRequests(db: Db, rows: number): Promise<number> {
  return (await db.query(SWEEP, [rows])).length;
}
