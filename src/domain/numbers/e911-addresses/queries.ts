import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { EmergencyAddress } from '../../../carriers/ports/e911.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { tenantReader } from '../../../db/list.ts';
import { statement, type Which, whichStatement } from '../../../db/statement.ts';
import { sourcesOf } from '../../../lib/machine.ts';
import { type Ledger, type Scope, visible } from '../../../lib/scope.ts';
import type { FindReferenced } from '../phone-numbers/references.ts';
import { type AddressStatus, addressMachine } from './rules.ts';
import type { E911Address } from './schema.ts';

const COLUMNS = `a.id, 'e911_address' as object, a.tenant_id, a.street, a.unit, a.city, a.state, a.postal_code, a.status,
  a.created_at`;

const INSERT = statement(
  'e911_addresses_insert',
  `insert into e911_addresses as a
     (ledger_id, id, tenant_id, street, unit, city, state, postal_code, status, created_at, connection_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8, 'pending', ledger_now($1), $9) returning ${COLUMNS}`,
);

export type NewAddress = EmergencyAddress & {
  readonly id: string;
  readonly tenantId: string;
  readonly connectionId: ConnectionId;
};

/** Stores an address that the carrier has yet to validate. */
export async function insertPendingAddress(tx: Tx, { ledgerId }: Ledger, address: NewAddress): Promise<E911Address> {
  const { id, tenantId, street, unit, city, state, postal_code, connectionId } = address;
  const values = [ledgerId, id, tenantId, street, unit, city, state, postal_code, connectionId];
  const [row] = await tx.query<E911Address>(INSERT, values);
  return row as E911Address;
}

const FIND = statement(
  'e911_addresses_find',
  `select ${COLUMNS} from e911_addresses a where ledger_id = $1 and id = $2`,
);

/** Finds an address of any status. */
export async function findAddress(db: Db, { ledgerId }: Ledger, id: string): Promise<E911Address | undefined> {
  const [row] = await db.query<E911Address>(FIND, [ledgerId, id]);
  return row;
}

/** Returns the address, if the key may read it. Errors: e911_address_not_found, tenant_restricted_key. */
export async function getAddress(db: Db, scope: Scope, id: string): Promise<E911Address> {
  return visible(scope, await findAddress(db, scope, id), 'e911_address_not_found');
}

/** Finds an address that a number may be registered at: only a validated one. */
export const findAttachable: FindReferenced = async (db, ledger, id) => {
  const address = await findAddress(db, ledger, id);
  return address?.status === 'validated' ? address : undefined;
};

const LOCK_SHARED = statement(
  'e911_addresses_lock_shared',
  `select tenant_id from e911_addresses where ledger_id = $1 and id = $2 and status = 'validated' for key share`,
);

/** Returns the tenant of a validated address, and prevents the deletion of the address until the transaction ends. */
export async function lockAttachable(tx: Tx, { ledgerId }: Ledger, id: string): Promise<string | undefined> {
  const [row] = await tx.query<{ tenant_id: string }>(LOCK_SHARED, [ledgerId, id]);
  return row?.tenant_id;
}

const LOCK = statement(
  'e911_addresses_lock',
  `select ${COLUMNS} from e911_addresses a where ledger_id = $1 and id = $2 for update`,
);

/** Locks an address, so that no number can be attached to it until the transaction ends. */
export async function lockAddress(tx: Tx, { ledgerId }: Ledger, id: string): Promise<E911Address | undefined> {
  const [row] = await tx.query<E911Address>(LOCK, [ledgerId, id]);
  return row;
}

const readList = tenantReader<E911Address>({
  name: 'e911_addresses_list',
  from: ['e911_addresses', 'a'],
  columns: COLUMNS,
});

export function listAddresses(
  db: Db,
  { ledgerId }: Ledger,
  page: { tenantId: string | null; before: string | null; rows: number },
): Promise<E911Address[]> {
  return readList(db, ledgerId, page);
}

const MOVE = statement(
  'e911_addresses_move',
  `update e911_addresses a set status = $3, carrier_ref = coalesce($4, carrier_ref)
   where ledger_id = $1 and id = $2 and status = any($5::text[]) returning ${COLUMNS}`,
);

/** Records the carrier's decision. Returns undefined if one was recorded before, or the address has been deleted. */
export async function moveAddress(
  tx: Tx,
  { ledgerId }: Ledger,
  { id, to, carrierRef = null }: { id: string; to: AddressStatus; carrierRef?: string | null },
): Promise<E911Address | undefined> {
  const values = [ledgerId, id, to, carrierRef, sourcesOf(addressMachine, to)];
  const [row] = await tx.query<E911Address>(MOVE, values);
  return row;
}

const deletion = whichStatement(
  'e911_addresses_delete',
  (which) => `delete from e911_addresses where ledger_id = $1 and ${which} returning id, carrier_ref, connection_id`,
);

/** A deleted address. If `carrier_ref` is set, the carrier still has it. */
export type DeletedAddress = { id: string; carrier_ref: string | null; connection_id: ConnectionId };

/** Deletes one address, or all addresses of a tenant. */
export function deleteAddressRows(tx: Tx, { ledgerId }: Ledger, which: Which): Promise<DeletedAddress[]> {
  const [statement, value] = deletion(which);
  return tx.query(statement, [ledgerId, value]);
}
