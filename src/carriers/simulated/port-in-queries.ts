import type { Db, Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { isMagicNumber } from '../../lib/phone/phone.ts';

export type StoredStatus = 'in_review' | 'action_needed' | 'foc_confirmed' | 'completed' | 'cancelled';

/** The latest submission of a port-in, as the simulated carrier stores it. */
export type StoredPortIn = {
  ref: string;
  attempt: number;
  phone_numbers: readonly string[];
  status: StoredStatus;
  foc_date: Date;
};

const COLUMNS = 'ref, attempt, phone_numbers, status, foc_date';

// If this attempt or a later one is stored, the submission is a repeat and no row is returned.
const INSERT = statement(
  'simulated_port_ins_insert',
  `insert into simulated_port_ins as p (ledger_id, ref, attempt, phone_numbers, status, foc_date)
   values ($1, $2, $3, $4, 'in_review', $5)
   on conflict (ledger_id, ref) do update
     set attempt = excluded.attempt, phone_numbers = excluded.phone_numbers, status = 'in_review',
       foc_date = excluded.foc_date
     where p.attempt < excluded.attempt and p.status <> 'cancelled'
   returning 1 as stored`,
);

/** Stores a submission. Resolves with false if it is stored already, or its port-in is cancelled. */
export async function insertPortIn(
  tx: Tx,
  ledgerId: number,
  {
    ref,
    attempt,
    phoneNumbers,
    focDate,
  }: { ref: string; attempt: number; phoneNumbers: readonly string[]; focDate: Date },
): Promise<boolean> {
  return (await tx.query(INSERT, [ledgerId, ref, attempt, phoneNumbers, focDate])).length > 0;
}

const BLOCK = statement(
  'simulated_port_ins_block',
  `insert into simulated_port_ins (ledger_id, ref, attempt, phone_numbers, status, foc_date)
   values ($1, $2, 0, '{}', 'cancelled', ledger_now($1)) on conflict do nothing`,
);

/** Stores an unknown port-in as cancelled, so that a submission that arrives later is ignored. */
export async function blockPortIn(db: Db, ledgerId: number, ref: string): Promise<void> {
  await db.query(BLOCK, [ledgerId, ref]);
}

const FIND = statement(
  'simulated_port_ins_find',
  `select ${COLUMNS} from simulated_port_ins where ledger_id = $1 and ref = $2`,
);

export async function findStoredPortIn(db: Db, ledgerId: number, ref: string): Promise<StoredPortIn | undefined> {
  const [row] = await db.query<StoredPortIn>(FIND, [ledgerId, ref]);
  return row;
}

const MOVE = statement(
  'simulated_port_ins_move',
  `update simulated_port_ins set status = $4
   where ledger_id = $1 and ref = $2 and attempt = $3 and status = any($5::text[]) returning 1 as moved`,
);

/** Changes the status of a submission. If its status is not in `from`, changes nothing and resolves with false. */
export async function moveStoredPortIn(
  db: Db,
  ledgerId: number,
  move: { ref: string; attempt: number; to: StoredStatus; from: readonly StoredStatus[] },
): Promise<boolean> {
  return (await db.query(MOVE, [ledgerId, move.ref, move.attempt, move.to, move.from])).length > 0;
}

const CANCEL = statement(
  'simulated_port_ins_cancel',
  `update simulated_port_ins set status = 'cancelled'
   where ledger_id = $1 and ref = $2 and status = any($3::text[]) returning 1 as cancelled`,
);

/** Cancels a port-in, whichever submission is stored. Resolves with false if its status is not in `from`. */
export async function cancelStoredPortIn(
  db: Db,
  ledgerId: number,
  { ref, from }: { ref: string; from: readonly StoredStatus[] },
): Promise<boolean> {
  return (await db.query(CANCEL, [ledgerId, ref, from])).length > 0;
}

const TAKE = statement(
  'simulated_numbers_take_ported',
  `with blocked as materialized (
     select 1 from simulated_numbers
     where ledger_id = $1 and phone_number = any($2::text[]) and released_at is null and order_ref <> $3
       and phone_number <> all ($4::text[])
   ), taken as (
     insert into simulated_numbers (ledger_id, phone_number, order_ref)
     select $1::integer, n, $3::text from unnest($2::text[]) n where not exists (select 1 from blocked) order by n
     on conflict (ledger_id, phone_number) do update set order_ref = excluded.order_ref, released_at = null
       where simulated_numbers.released_at is not null or simulated_numbers.order_ref = excluded.order_ref
         or simulated_numbers.phone_number = any($4::text[])
     returning 1
   )
   select count(*) = cardinality($2::text[]) as taken from taken`,
);

/**
 * Stores the ported numbers as numbers of the ledger. Stores none of them and resolves with false if another order has
 * one. Takes a magic number away from any other order.
 */
export async function takePortedNumbers(
  db: Db,
  ledgerId: number,
  { ref, phoneNumbers }: { ref: string; phoneNumbers: readonly string[] },
): Promise<boolean> {
  const values = [ledgerId, phoneNumbers, ref, phoneNumbers.filter(isMagicNumber)];
  const [row] = await db.query<{ taken: boolean }>(TAKE, values);
  return row?.taken === true;
}
