import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { BrandRegistration } from '../../../carriers/ports/registry.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { tenantReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import { sourcesOf } from '../../../lib/machine.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { type BrandState, brandMachine, maskEin } from './rules.ts';
import type { Brand } from './schema.ts';

const COLUMNS = `b.id, 'brand' as object, b.legal_name, b.dba, '${maskEin('')}' || b.ein_last4 as ein, b.entity_type,
  b.website, b.contact_email, b.phone, b.street, b.city, b.state, b.postal_code, b.tenant_id, b.status,
  b.rejection_reason, b.created_at`;

const INSERT = statement(
  'brands_insert',
  `insert into brands as b (ledger_id, id, tenant_id, legal_name, dba, ein, ein_last4, entity_type, website,
     contact_email, phone, street, city, state, postal_code, status, created_at, connection_id)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 'pending_vetting', ledger_now($1), $16)
   returning ${COLUMNS}`,
);

export type NewBrand = Omit<BrandRegistration, 'ref' | 'ein'> & {
  readonly id: string;
  readonly tenantId: string | null;
  /** Encrypted. */
  readonly ein: Buffer | null;
  readonly einLast4: string | null;
  readonly connectionId: ConnectionId;
};

export async function insertBrand(tx: Tx, { ledgerId }: Ledger, brand: NewBrand): Promise<Brand> {
  const { id, tenantId, legalName, dba, ein, einLast4, entityType, website } = brand;
  const { contactEmail, phone, street, city, state, postalCode, connectionId } = brand;
  const company = [ledgerId, id, tenantId, legalName, dba, ein, einLast4, entityType, website];
  const [row] = await tx.query<Brand>(INSERT, [
    ...company,
    contactEmail,
    phone,
    street,
    city,
    state,
    postalCode,
    connectionId,
  ]);
  return row as Brand;
}

const FIND = statement('brands_find', `select ${COLUMNS} from brands b where ledger_id = $1 and id = $2`);

export async function findBrand(db: Db, { ledgerId }: Ledger, id: string): Promise<Brand | undefined> {
  const [row] = await db.query<Brand>(FIND, [ledgerId, id]);
  return row;
}

const FIND_CONNECTION = statement(
  'brands_find_connection',
  'select connection_id from brands where ledger_id = $1 and id = $2',
);

/** Returns the connection of a brand, which its campaigns use as well. */
export async function findBrandConnection(db: Db, { ledgerId }: Ledger, id: string): Promise<ConnectionId> {
  const [row] = await db.query<{ connection_id: ConnectionId }>(FIND_CONNECTION, [ledgerId, id]);
  return row?.connection_id ?? null;
}

const readList = tenantReader<Brand>({
  name: 'brands_list',
  from: ['brands', 'b'],
  columns: COLUMNS,
});

type Page = { readonly tenantId: string | null; readonly before: string | null; readonly rows: number };

/** Returns brands of the ledger or of one tenant, newest first. */
export function listBrands(db: Db, { ledgerId }: Ledger, page: Page): Promise<Brand[]> {
  return readList(db, ledgerId, page);
}

const MOVE = statement(
  'brands_move',
  `with those as materialized (
     select id, status from brands where ledger_id = $1 and id = $2 and status = any($3::text[]) for update
   )
   update brands b set status = $4, rejection_reason = $5 from those t where b.ledger_id = $1 and b.id = t.id
   returning t.status as previous_status, ${COLUMNS}`,
);

const SET_REMEDY = statement(
  'brands_set_remedy',
  `update brands set rejection_reason = $3
   where ledger_id = $1 and id = $2 and status = 'pending_vetting' and rejection_reason is distinct from $3`,
);

/** Stores the action that the registry expects from the business; null for none. */
export async function setRemedy(tx: Tx, { ledgerId }: Ledger, id: string, remedy: string | null): Promise<void> {
  await tx.query(SET_REMEDY, [ledgerId, id, remedy]);
}

export type MovedBrand = { readonly brand: Brand; readonly previousStatus: BrandState };

/** Moves a brand to a state; undefined if its current state has no such transition. */
export async function moveBrand(
  tx: Tx,
  { ledgerId }: Ledger,
  { id, to, reason }: { id: string; to: BrandState; reason: string | null },
): Promise<MovedBrand | undefined> {
  const values = [ledgerId, id, sourcesOf(brandMachine, to), to, reason];
  const [row] = await tx.query<Brand & { previous_status: BrandState }>(MOVE, values);
  if (row === undefined) return undefined;
  const { previous_status: previousStatus, ...brand } = row;
  return { brand, previousStatus };
}

const FIND_REGISTRATION = statement(
  'brands_find_registration',
  `select ${COLUMNS}, b.ein as sealed_ein, b.carrier_ref, b.connection_id from brands b where ledger_id = $1 and id = $2`,
);

export type BrandRegistrationRow = {
  readonly brand: Brand;
  readonly sealedEin: Buffer | null;
  readonly carrierRef: string | null;
  readonly connectionId: ConnectionId;
};

/** Returns a brand with the data of its registration. */
export async function findBrandRegistration(
  db: Db,
  { ledgerId }: Ledger,
  id: string,
): Promise<BrandRegistrationRow | undefined> {
  type Row = Brand & { sealed_ein: Buffer | null; carrier_ref: string | null; connection_id: ConnectionId };
  const [row] = await db.query<Row>(FIND_REGISTRATION, [ledgerId, id]);
  if (row === undefined) return undefined;
  const { sealed_ein: sealedEin, carrier_ref: carrierRef, connection_id: connectionId, ...brand } = row;
  return { brand, sealedEin, carrierRef, connectionId };
}

const STORE_CARRIER_REF = statement(
  'brands_store_carrier_ref',
  'update brands set carrier_ref = $3 where ledger_id = $1 and id = $2 and carrier_ref is null',
);

/** Stores the registry's reference of a brand, unless one is stored already. */
export async function storeBrandCarrierRef(
  tx: Tx,
  { ledgerId }: Ledger,
  id: string,
  carrierRef: string,
): Promise<void> {
  await tx.query(STORE_CARRIER_REF, [ledgerId, id, carrierRef]);
}
