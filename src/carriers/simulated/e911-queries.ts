import type { Db } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Ledger } from '../../lib/scope.ts';

const INSERT = statement(
  'simulated_e911_insert',
  'insert into simulated_e911_addresses (ledger_id, ref) values ($1, $2) on conflict do nothing',
);

export async function insertAddress(db: Db, { ledgerId }: Ledger, ref: string): Promise<void> {
  await db.query(INSERT, [ledgerId, ref]);
}

const FIND = statement(
  'simulated_e911_find',
  'select 1 from simulated_e911_addresses where ledger_id = $1 and ref = $2',
);

export async function hasAddress(db: Db, { ledgerId }: Ledger, ref: string): Promise<boolean> {
  return (await db.query(FIND, [ledgerId, ref])).length > 0;
}

const DELETE = statement(
  'simulated_e911_delete',
  'delete from simulated_e911_addresses where ledger_id = $1 and ref = $2',
);

export async function deleteAddress(db: Db, { ledgerId }: Ledger, ref: string): Promise<void> {
  await db.query(DELETE, [ledgerId, ref]);
}

// If there is no such address, for example after its removal, nothing is inserted and no row is returned.
const ASSIGN = statement(
  'simulated_e911_assign',
  `insert into simulated_e911_numbers (ledger_id, phone_number, address_ref)
   select ledger_id, $2, ref from simulated_e911_addresses where ledger_id = $1 and ref = $3
   on conflict (ledger_id, phone_number) do update set address_ref = excluded.address_ref
   returning 1 as assigned`,
);

/** Registers a number at an address. Resolves with false if the address does not exist. */
export async function assignNumberToAddress(
  db: Db,
  { ledgerId }: Ledger,
  { phoneNumber, ref }: { phoneNumber: string; ref: string },
): Promise<boolean> {
  return (await db.query(ASSIGN, [ledgerId, phoneNumber, ref])).length > 0;
}

const UNASSIGN = statement(
  'simulated_e911_unassign',
  'delete from simulated_e911_numbers where ledger_id = $1 and phone_number = $2',
);

export async function unassignNumberFromAddress(db: Db, { ledgerId }: Ledger, phoneNumber: string): Promise<void> {
  await db.query(UNASSIGN, [ledgerId, phoneNumber]);
}

const ADDRESS_OF_NUMBER = statement(
  'simulated_e911_address_of',
  'select address_ref from simulated_e911_numbers where ledger_id = $1 and phone_number = $2',
);

/** Returns the ref of the address that a number is registered at. */
export async function findAddressOfNumber(
  db: Db,
  { ledgerId }: Ledger,
  phoneNumber: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ address_ref: string }>(ADDRESS_OF_NUMBER, [ledgerId, phoneNumber]);
  return row?.address_ref;
}
