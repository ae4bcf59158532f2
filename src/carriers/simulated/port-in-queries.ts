import type { Db, Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { isMagicNumber } from '../../lib/phone.ts';

export type BookStatus = 'in_review' | 'action_needed' | 'foc_confirmed' | 'completed' | 'cancelled';

/** A submission as the simulated carrier has it in its books. */
export type BookedPortIn = {
  ref: string;
  attempt: number;
  phone_numbers: readonly string[];
  status: BookStatus;
  foc_date: Date;
};

const COLUMNS = 'ref, attempt, phone_numbers, status, foc_date';

// A submission that is not newer than the one in the books is the same one: nothing is returned.
const BOOK = statement(
  'simulated_port_ins_book',
  `insert into simulated_port_ins as b (ledger_id, ref, attempt, phone_numbers, status, foc_date)
   values ($1, $2, $3, $4, 'in_review', $5)
   on conflict (ledger_id, ref) do update
     set attempt = excluded.attempt, phone_numbers = excluded.phone_numbers, status = 'in_review',
       foc_date = excluded.foc_date
     where b.attempt < excluded.attempt and b.status <> 'cancelled'
   returning 1 as booked`,
);

/** Books a submission. False for one that is booked already, or cancelled. */
export async function bookPortIn(
  tx: Tx,
  ledgerId: number,
  {
    ref,
    attempt,
    phoneNumbers,
    focDate,
  }: { ref: string; attempt: number; phoneNumbers: readonly string[]; focDate: Date },
): Promise<boolean> {
  return (await tx.query(BOOK, [ledgerId, ref, attempt, phoneNumbers, focDate])).length > 0;
}

const BAR = statement(
  'simulated_port_ins_bar',
  `insert into simulated_port_ins (ledger_id, ref, attempt, phone_numbers, status, foc_date)
   values ($1, $2, 0, '{}', 'cancelled', ledger_now($1)) on conflict do nothing`,
);

/** Cancels what has not arrived yet, so that it will not be booked when it does. */
export async function barPortIn(db: Db, ledgerId: number, ref: string): Promise<void> {
  await db.query(BAR, [ledgerId, ref]);
}

const FIND = statement(
  'simulated_port_ins_find',
  `select ${COLUMNS} from simulated_port_ins where ledger_id = $1 and ref = $2`,
);

export async function findBooked(db: Db, ledgerId: number, ref: string): Promise<BookedPortIn | undefined> {
  const [row] = await db.query<BookedPortIn>(FIND, [ledgerId, ref]);
  return row;
}

const MOVE = statement(
  'simulated_port_ins_move',
  `update simulated_port_ins set status = $4
   where ledger_id = $1 and ref = $2 and attempt = $3 and status = any($5::text[]) returning 1 as moved`,
);

/** True if the submission was at one of the statuses and has moved. */
export async function moveBooked(
  db: Db,
  ledgerId: number,
  move: { ref: string; attempt: number; to: BookStatus; from: readonly BookStatus[] },
): Promise<boolean> {
  return (await db.query(MOVE, [ledgerId, move.ref, move.attempt, move.to, move.from])).length > 0;
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
 * Takes ported numbers into the books, all or, if somebody has bought one meanwhile, none. Magic numbers are taken from
 * whoever has them.
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
