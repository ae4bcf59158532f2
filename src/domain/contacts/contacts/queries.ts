import type { Db, Tx } from '../../../db/database.ts';
import { LEDGER_NOW } from '../../../db/ledgers.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { wordsOf } from '../../../lib/words.ts';
import type { Contact } from './schema.ts';

export const COLUMNS = `c.id, 'contact' as object, c.tenant_id, c.name, c.company, array(
    select n.phone_number from contact_numbers n where n.ledger_id = c.ledger_id and n.contact_id = c.id
    order by n.position) as phone_numbers, c.email, c.external_ref, c.metadata, c.created_at, c.updated_at`;

/** SQL of the contact that was chosen for a conversation, or else the contact of its number. */
export const contactIdOf = (conversation: string): string => `coalesce(${conversation}.contact_id, (
    select n.contact_id from contact_numbers n
    where n.ledger_id = ${conversation}.ledger_id and n.phone_number = ${conversation}.external_number
      and n.tenant_id = ${conversation}.tenant_id))`;

export type ContactRow = Pick<Contact, 'id' | 'tenant_id' | 'name' | 'company' | 'email' | 'external_ref'> & {
  readonly ledger_id: number;
  /** JSON. */
  readonly metadata: string;
  readonly phone_numbers: readonly string[];
};

const INSERT = statement<Omit<ContactRow, 'phone_numbers'>>(
  'contacts_insert',
  `insert into contacts (ledger_id, id, tenant_id, name, company, email, external_ref, metadata, created_at, updated_at)
   select :ledger_id, :id, :tenant_id, :name, :company, :email, :external_ref, :metadata, now.at, now.at
   from ${LEDGER_NOW}`,
);

const UPDATE = statement<Omit<ContactRow, 'phone_numbers' | 'tenant_id'>>(
  'contacts_update',
  `update contacts set name = :name, company = :company, email = :email, external_ref = :external_ref,
     metadata = :metadata, updated_at = ledger_now(:ledger_id)
   where ledger_id = :ledger_id and id = :id`,
);

const DROP_NUMBERS = statement(
  'contact_numbers_drop',
  'delete from contact_numbers where ledger_id = $1 and contact_id = $2 and phone_number <> all($3::text[])',
);

// A number that the contact keeps may have a new position, so there is a second statement for the positions.
const WRITE_NUMBERS = statement(
  'contact_numbers_write',
  `insert into contact_numbers as n (ledger_id, tenant_id, contact_id, phone_number, position)
   select $1, $2, $3, i.phone_number, i.position from unnest($4::text[]) with ordinality as i (phone_number, position)
   where not exists (
     select 1 from contact_numbers o where o.ledger_id = $1 and o.contact_id = $3 and o.phone_number = i.phone_number)`,
);
const MOVE_NUMBERS = statement(
  'contact_numbers_move',
  `update contact_numbers n set position = i.position
   from unnest($3::text[]) with ordinality as i (phone_number, position)
   where n.ledger_id = $1 and n.contact_id = $2 and n.phone_number = i.phone_number and n.position <> i.position`,
);

const DROP_WORDS = statement(
  'contact_words_drop',
  'delete from contact_words where ledger_id = $1 and contact_id = $2 and word <> all($3::text[])',
);
const WRITE_WORDS = statement(
  'contact_words_write',
  `insert into contact_words (ledger_id, tenant_id, contact_id, word)
   select $1, $2, $3, word from unnest($4::text[]) as i (word) on conflict do nothing`,
);

/** Inserts a contact with its numbers and words. */
export async function insertContact(tx: Tx, { phone_numbers, ...row }: ContactRow): Promise<void> {
  await tx.query(INSERT, row);
  await writeParts(tx, { phone_numbers, ...row });
}

/** Replaces the fields of a contact, with its numbers and words. */
export async function replaceContact(tx: Tx, contact: ContactRow): Promise<void> {
  const { ledger_id, id, name, company, email, external_ref, metadata, phone_numbers } = contact;
  await tx.query(UPDATE, { ledger_id, id, name, company, email, external_ref, metadata });
  await tx.query(DROP_NUMBERS, [ledger_id, id, phone_numbers]);
  await tx.query(MOVE_NUMBERS, [ledger_id, id, phone_numbers]);
  await tx.query(DROP_WORDS, [ledger_id, id, wordsOf(name, company)]);
  await writeParts(tx, contact);
}

async function writeParts(
  tx: Tx,
  { ledger_id, tenant_id, id, name, company, phone_numbers }: Omit<ContactRow, 'metadata'>,
): Promise<void> {
  await tx.query(WRITE_NUMBERS, [ledger_id, tenant_id, id, phone_numbers]);
  await tx.query(WRITE_WORDS, [ledger_id, tenant_id, id, wordsOf(name, company)]);
}

const FIND = statement('contacts_find', `select ${COLUMNS} from contacts c where c.ledger_id = $1 and c.id = $2`);

export async function findContact(db: Db, { ledgerId }: Ledger, id: string): Promise<Contact | undefined> {
  const [row] = await db.query<Contact>(FIND, [ledgerId, id]);
  return row;
}

const FIND_NAME = statement<{ ledger_id: number; tenant_id: string; phone_number: string }, { readonly name: string }>(
  'contacts_find_name',
  `select c.name from contact_numbers n join contacts c on c.ledger_id = n.ledger_id and c.id = n.contact_id
   where n.ledger_id = :ledger_id and n.phone_number = :phone_number and n.tenant_id = :tenant_id`,
);

/** Returns the name of the tenant's contact that has the number. */
export async function findContactName(
  db: Db,
  { ledgerId, tenantId, number }: { readonly ledgerId: number; readonly tenantId: string; readonly number: string },
): Promise<string | undefined> {
  const [row] = await db.query(FIND_NAME, { ledger_id: ledgerId, tenant_id: tenantId, phone_number: number });
  return row?.name;
}

const FIND_BY_REF = statement(
  'contacts_of_ref',
  'select id from contacts where ledger_id = $1 and external_ref = $2 and tenant_id = $3',
);
const FIND_BY_NUMBERS = statement(
  'contacts_of_numbers',
  `select n.contact_id as id from contact_numbers n, unnest($2::text[]) with ordinality as i (phone_number, position)
   where n.ledger_id = $1 and n.phone_number = i.phone_number and n.tenant_id = $3 order by i.position limit 1`,
);

export type Signs = {
  readonly tenantId: string;
  readonly external_ref?: string;
  readonly phone_numbers?: readonly string[];
};

/**
 * Returns the id of the tenant's contact with the reference. If there is none, returns the id of the contact with the
 * first of the given numbers that is known.
 */
export async function findOwner(tx: Tx, { ledgerId }: Ledger, signs: Signs): Promise<string | undefined> {
  const { tenantId, external_ref, phone_numbers = [] } = signs;
  if (external_ref !== undefined) {
    const [ofRef] = await tx.query<{ id: string }>(FIND_BY_REF, [ledgerId, external_ref, tenantId]);
    if (ofRef !== undefined) return ofRef.id;
  }
  const [ofNumber] = await tx.query<{ id: string }>(FIND_BY_NUMBERS, [ledgerId, phone_numbers, tenantId]);
  return ofNumber?.id;
}

const TAKE_TURN = statement(
  'contacts_take_turn',
  `select pg_advisory_xact_lock(hashtextextended('contacts ' || $1::int || ' ' || $2::text, 0))`,
);

/**
 * Waits until no other request changes many contacts of the tenant. Two such requests with the same contacts in
 * different orders would end in a deadlock.
 */
export async function takeTurn(tx: Tx, { ledgerId }: Ledger, tenantId: string): Promise<void> {
  await tx.query(TAKE_TURN, [ledgerId, tenantId]);
}

const LOCK = statement('contacts_lock', 'select 1 from contacts where ledger_id = $1 and id = $2 for update');

/** Locks a contact until the transaction ends, and returns its current state. */
export async function lockContact(tx: Tx, ledger: Ledger, id: string): Promise<Contact | undefined> {
  await tx.query(LOCK, [ledger.ledgerId, id]);
  return findContact(tx, ledger, id);
}

const HOLD = statement('contacts_hold', 'select 1 from contacts where ledger_id = $1 and id = $2 for key share');

/** Returns a contact, locked against deletion until the transaction ends. */
export async function holdContact(tx: Tx, ledger: Ledger, id: string): Promise<Contact | undefined> {
  const held = await tx.query(HOLD, [ledger.ledgerId, id]);
  return held.length === 0 ? undefined : findContact(tx, ledger, id);
}

const DELETE = statement('contacts_delete', 'delete from contacts where ledger_id = $1 and id = $2');

export async function deleteContactRow(tx: Tx, { ledgerId }: Ledger, id: string): Promise<void> {
  await tx.query(DELETE, [ledgerId, id]);
}

const DELETE_OF_NUMBER = statement(
  'contacts_delete_of_number',
  `delete from contacts where ledger_id = $1 and id = (
     select contact_id from contact_numbers where ledger_id = $1 and phone_number = $3 and tenant_id = $2)
   returning id`,
);

/** Deletes the contact of a tenant that has the number. @returns how many there were */
export async function deleteContactOf(
  tx: Tx,
  { ledgerId, tenantId, number }: { readonly ledgerId: number; readonly tenantId: string; readonly number: string },
): Promise<number> {
  return (await tx.query(DELETE_OF_NUMBER, [ledgerId, tenantId, number])).length;
}

const DELETE_OF_TENANT = statement(
  'contacts_delete_of_tenant',
  'delete from contacts where ledger_id = $1 and tenant_id = $2',
);

export async function deleteContactsOfTenant(tx: Tx, { ledgerId }: Ledger, tenantId: string): Promise<void> {
  await tx.query(DELETE_OF_TENANT, [ledgerId, tenantId]);
}
