import type { Db } from '../../../db/database.ts';
import { listReader, tenantReader } from '../../../db/list.ts';
import { hasWordsSql, wordReader } from '../../../db/word-list.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { COLUMNS } from './queries.ts';
import type { Contact } from './schema.ts';

const WORDS = ['contact_words', 'contact_id'] as const;

/** Reads contacts by the starts of their words. */
export const readContactsByWord = wordReader<Contact>({
  name: 'contacts_by_word',
  words: WORDS,
  from: ['contacts', 'c'],
  columns: COLUMNS,
});

const LIST = {
  name: 'contacts_list',
  from: ['contacts', 'c'],
  columns: COLUMNS,
  filters: {
    tenantId: 'c.tenant_id = ?',
    externalRef: 'c.external_ref = ?',
    words: hasWordsSql(WORDS, '?', 'c.id'),
  },
} as const;

const readAll = tenantReader<Contact>(LIST);
const readByRef = listReader<Contact>(LIST, {
  name: 'external_ref',
  keys: [{ sql: 'c.external_ref' }],
  where: 'c.external_ref is not null',
});
// In a tenant at most one contact has a number. The key is a list of numbers.
const readByNumber = listReader<Contact>(LIST, {
  name: 'number',
  keys: [{ sql: 'c.id' }],
  armsFrom: `select distinct n.contact_id from contact_numbers n
    where n.ledger_id = :ledger_id and n.phone_number = any (string_to_array(:key1, ','))`,
});

export type ContactPage = {
  readonly tenantId: string | null;
  /** Numbers separated by commas: finds contacts with at least one of them. */
  readonly phoneNumbers: string | null;
  readonly externalRef: string | null;
  /** Each word is the start of a word of the contact. Can be combined with a number or a reference. */
  readonly words: readonly string[] | null;
  readonly before: string | null;
  readonly rows: number;
};

/** Returns contacts, newest first. */
export function listContacts(
  db: Db,
  { ledgerId }: Ledger,
  { tenantId, words, phoneNumbers, externalRef, ...page }: ContactPage,
): Promise<Contact[]> {
  const filters = { tenantId, words: words?.join(' ') };
  if (phoneNumbers !== null) {
    return readByNumber(db, ledgerId, { ...page, arms: [[phoneNumbers]], filters: { ...filters, externalRef } });
  }
  if (externalRef !== null) return readByRef(db, ledgerId, { ...page, arms: [[externalRef]], filters });
  return readAll(db, ledgerId, { ...page, tenantId });
}
