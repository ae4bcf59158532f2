/** Statements about emergency addresses and the numbers that are registered at them. */
import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';

// Locks in id order, so that two addresses made at the same time divide the numbers instead of deadlocking.
const ATTACH = statement(
  'phone_numbers_attach_address',
  `with those as materialized (
     select id from phone_numbers
     where ledger_id = $1 and tenant_id = $2 and e911_address_id is null and status in ('active', 'suspended')
     order by id for update
   )
   update phone_numbers p set e911_address_id = $3, e911_pending = true from those t
   where p.ledger_id = $1 and p.id = t.id returning p.id`,
);

/** Attaches the address to every number of the tenant that has none, pending at the carrier. Returns their ids. */
export async function attachToNumbersWithout(
  tx: Tx,
  { ledgerId }: Ledger,
  { id, tenant_id }: { id: string; tenant_id: string },
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(ATTACH, [ledgerId, tenant_id, id]);
  return rows.map((row) => row.id);
}

const IN_USE = statement(
  'e911_addresses_in_use',
  `select 1 from phone_numbers where ledger_id = $1 and e911_address_id = $2
   union all
   select 1 from web_clients where ledger_id = $1 and e911_address_id = $2 and status = 'active' limit 1`,
);

/** Returns true while any number or active web client refers to the address. */
export async function isAddressInUse(tx: Tx, { ledgerId }: Ledger, id: string): Promise<boolean> {
  return (await tx.query(IN_USE, [ledgerId, id])).length > 0;
}

const REGISTRATION = statement(
  'phone_numbers_e911_registration',
  `select p.phone_number, p.status, p.e911_address_id as address_id, p.e911_pending as is_pending,
     a.carrier_ref, a.connection_id, p.e911_connection_id as holder_id
   from phone_numbers p left join e911_addresses a on a.ledger_id = p.ledger_id and a.id = p.e911_address_id
   where p.ledger_id = $1 and p.id = $2`,
);

/** A number and the address it is to be registered at; both null for none. */
export type NumberRegistration = {
  phone_number: string;
  status: string;
  address_id: string | null;
  /** True while the carrier has yet to confirm the address for the number. */
  is_pending: boolean;
  carrier_ref: string | null;
  connection_id: ConnectionId;
  /** The connection that has the number registered at an address now. */
  holder_id: ConnectionId;
};

export async function findRegistration(
  db: Db,
  { ledgerId }: Ledger,
  numberId: string,
): Promise<NumberRegistration | undefined> {
  const [row] = await db.query<NumberRegistration>(REGISTRATION, [ledgerId, numberId]);
  return row;
}

const SET_PENDING = statement(
  'phone_numbers_set_e911_pending',
  `update phone_numbers set e911_pending = $4
   where ledger_id = $1 and id = $2 and e911_address_id = $3 and e911_pending <> $4 returning 1 as changed`,
);

/**
 * Stores whether the carrier has yet to confirm the address for the number. Returns false if that is no change, or if
 * the number has another address.
 */
export async function setAddressPending(
  tx: Tx,
  { ledgerId }: Ledger,
  {
    numberId,
    addressId,
    isPending,
  }: { readonly numberId: string; readonly addressId: string; readonly isPending: boolean },
): Promise<boolean> {
  return (await tx.query(SET_PENDING, [ledgerId, numberId, addressId, isPending])).length > 0;
}

const STORE_HOLDER = statement(
  'phone_numbers_store_e911_connection',
  'update phone_numbers set e911_connection_id = $3 where ledger_id = $1 and id = $2',
);

/** Stores the connection that has the number registered at an address; null for none. */
export async function storeHolder(
  db: Db,
  { ledgerId }: Ledger,
  { numberId, connectionId }: { numberId: string; connectionId: ConnectionId },
): Promise<void> {
  await db.query(STORE_HOLDER, [ledgerId, numberId, connectionId]);
}

const DETACH = statement(
  'phone_numbers_detach_address',
  `update phone_numbers set e911_address_id = null, e911_pending = false
   where ledger_id = $1 and id = $2 and e911_address_id = $3 and status <> 'released' returning 1 as detached`,
);

/** Detaches the address from the number. Returns false if the number has another address or has been released. */
export async function detachAddress(
  tx: Tx,
  { ledgerId }: Ledger,
  { numberId, addressId }: { numberId: string; addressId: string },
): Promise<boolean> {
  return (await tx.query(DETACH, [ledgerId, numberId, addressId])).length > 0;
}
