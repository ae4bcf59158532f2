import type { Db } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Ledger } from '../../lib/scope.ts';

const TAKEN = statement(
  'simulated_numbers_taken',
  `select phone_number from simulated_numbers
   where ledger_id = $1 and starts_with(phone_number, '+1' || $2)`,
);

/**
 * Returns the numbers that the ledger has bought, including released ones. With an area code, returns only its numbers.
 */
export async function listTakenNumbers(db: Db, { ledgerId }: Ledger, areaCode: string | null): Promise<Set<string>> {
  const rows = await db.query<{ phone_number: string }>(TAKEN, [ledgerId, areaCode ?? '']);
  return new Set(rows.map((row) => row.phone_number));
}

// The update changes nothing. Without it the statement would not return the ref of the first order.
const TAKE = statement(
  'simulated_numbers_take',
  `insert into simulated_numbers (ledger_id, phone_number, order_ref) values ($1, $2, $3)
   on conflict (ledger_id, phone_number) do update set order_ref = simulated_numbers.order_ref
   returning order_ref`,
);

/**
 * Takes the number for an order, unless an earlier order has it. Returns the ref of the order that has the number now.
 */
export async function takeNumber(db: Db, { ledgerId }: Ledger, phoneNumber: string, ref: string): Promise<string> {
  const [row] = await db.query<{ order_ref: string }>(TAKE, [ledgerId, phoneNumber, ref]);
  return (row as { order_ref: string }).order_ref;
}

const FIND_ORDER = statement(
  'simulated_numbers_find_order',
  'select 1 from simulated_numbers where ledger_id = $1 and phone_number = $2 and order_ref = $3',
);

/** True if this order took the number. */
export async function hasOrder(db: Db, { ledgerId }: Ledger, phoneNumber: string, ref: string): Promise<boolean> {
  return (await db.query(FIND_ORDER, [ledgerId, phoneNumber, ref])).length > 0;
}

const RELEASE = statement(
  'simulated_numbers_release',
  `update simulated_numbers set released_at = ledger_now($1)
   where ledger_id = $1 and phone_number = $2 and released_at is null`,
);

export async function releaseNumber(db: Db, { ledgerId }: Ledger, phoneNumber: string): Promise<void> {
  await db.query(RELEASE, [ledgerId, phoneNumber]);
}
