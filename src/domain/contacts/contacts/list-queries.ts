import type { Db } from '../../../db/database.ts';
import { listReader, tenantReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import type { Position } from '../../../http/schemas/pagination.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { COLUMNS } from './queries.ts';
import type { Contact } from './schema.ts';
import { endOfPrefix } from './words.ts';

export type ContactFilter = {
  readonly tenantId: string | null;
  readonly phoneNumber: string | null;
  readonly externalRef: string | null;
  /** Each is the start of a word of the contact. */
  readonly words: readonly string[] | null;
};

type Page<Before> = { readonly before: Before; readonly rows: number };

/**
 * SQL that is true if each word of a text, apart by spaces, is the start of a word of a contact.
 * @param contact SQL of the contact's id
 */
const hasWords = (words: string, contact: string) => `not exists (
    select 1 from unnest(string_to_array(${words}, ' ')) as f (word)
    where not exists (
      select 1 from contact_words x
      where x.ledger_id = :ledger_id and x.contact_id = ${contact} and x.word >= f.word
        and x.word < f.word || '${endOfPrefix('')}'))`;

const LIST = {
  name: 'contacts_list',
  from: ['contacts', 'c'],
  columns: COLUMNS,
  filters: { tenantId: 'c.tenant_id = ?', externalRef: 'c.external_ref = ?', words: hasWords('?', 'c.id') },
} as const;

const readAll = tenantReader<Contact>(LIST);
const readByRef = listReader<Contact>(LIST, {
  name: 'external_ref',
  keys: [{ sql: 'c.external_ref' }],
  where: 'c.external_ref is not null',
});
// A number is one contact's in a tenant.
const readByNumber = listReader<Contact>(LIST, {
  name: 'number',
  keys: [{ sql: 'c.id' }],
  armsFrom: 'select n.contact_id from contact_numbers n where n.ledger_id = :ledger_id and n.phone_number = :key1',
});

/** Returns contacts, newest first. Words alone are answered by `listByWords`. */
export function listContacts(
  db: Db,
  { ledgerId }: Ledger,
  { tenantId, words, phoneNumber, externalRef, ...page }: ContactFilter & Page<string | null>,
): Promise<Contact[]> {
  const filters = { tenantId, words: words?.join(' ') };
  if (phoneNumber !== null) {
    return readByNumber(db, ledgerId, { ...page, arms: [[phoneNumber]], filters: { ...filters, externalRef } });
  }
  if (externalRef !== null) return readByRef(db, ledgerId, { ...page, arms: [[externalRef]], filters });
  return readAll(db, ledgerId, { ...page, tenantId });
}

/** A contact with the word by which it was found: its position in the list by words, beside the id. */
export type FoundContact = Contact & { readonly word: string };

/** A page looks at this many words at most, so a page may have fewer contacts than its limit. */
const WINDOW = 200;

type WordValues = {
  readonly ledger_id: number;
  readonly tenant_id: string | null;
  readonly first: string;
  readonly end: string;
  readonly others: string;
  readonly word: string;
  readonly contact_id: string;
  readonly rows: number;
};

/** Compares all columns of an index as one row, so that no other index has the order (db/list.ts). */
const windowSql = ([column, value]: readonly [column: string, value: string]) =>
  `select w.word, w.contact_id from contact_words w
     where w.ledger_id = :ledger_id and (${column}w.word, w.contact_id) > (${value}:word, :contact_id)
       and (${column}w.word) < (${value}:end)
     order by ${column}w.word, w.contact_id limit ${WINDOW}`;

// A contact of which several words begin so is found at the first of them.
const foundSql = (tenant: readonly [string, string]) => `with seen as materialized (${windowSql(tenant)})
   select ${COLUMNS}, w.word from seen w join contacts c on c.ledger_id = :ledger_id and c.id = w.contact_id
   where not exists (
       select 1 from contact_words e
       where e.ledger_id = :ledger_id and e.contact_id = w.contact_id and e.word >= :first and e.word < w.word)
     and ${hasWords(':others::text', 'w.contact_id')}
   order by w.word, w.contact_id limit :rows`;

const lastSql = (tenant: readonly [string, string]) =>
  `select s.word, s.contact_id from (${windowSql(tenant)}) s offset ${WINDOW - 1}`;

type Place = { readonly word: string; readonly contact_id: string };

const statementsOf = (name: string, tenant: readonly [string, string]) => ({
  found: statement<WordValues, FoundContact>(`contacts_find_by_word_${name}`, foundSql(tenant)),
  last: statement<Omit<WordValues, 'first' | 'others' | 'rows'>, Place>(
    `contacts_last_by_word_${name}`,
    lastSql(tenant),
  ),
});
const BY_WORD = {
  ledger: statementsOf('ledger', ['', '']),
  tenant: statementsOf('tenant', ['w.tenant_id, ', ':tenant_id, ']),
};

/**
 * Returns contacts of which each word is the start of one of theirs, in the order of the longest word. `next` is where
 * the list goes on; undefined at its end.
 */
export async function listByWords(
  db: Db,
  { ledgerId }: Ledger,
  { tenantId, words, before, rows }: Pick<ContactFilter, 'tenantId'> & { words: readonly string[] } & Page<Position>,
): Promise<{ found: FoundContact[]; next: Place | undefined }> {
  // The longest word leaves the fewest contacts.
  const [longest, ...others] = words.toSorted((a, b) => b.length - a.length);
  if (longest === undefined) return { found: [], next: undefined };
  const values = {
    ...{ ledger_id: ledgerId, tenant_id: tenantId, first: longest, end: endOfPrefix(longest) },
    // From the first word that begins so.
    ...{ word: before?.[0] ?? longest, contact_id: before?.[1] ?? '' },
  };
  const statements = BY_WORD[tenantId === null ? 'ledger' : 'tenant'];
  const found = await db.query(statements.found, { ...values, others: others.join(' '), rows: rows + 1 });
  const last = found[rows - 1];
  if (found.length > rows && last !== undefined) {
    return { found: found.slice(0, rows), next: { word: last.word, contact_id: last.id } };
  }
  const [next] = await db.query(statements.last, values);
  return { found, next };
}
