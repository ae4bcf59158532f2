import type { Db } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Ledger } from '../../lib/scope.ts';
import { endOfPrefix } from '../../lib/words.ts';
import type { SearchResult } from './schema.ts';

type Given = {
  readonly ledger_id: number;
  readonly tenant_id: string | null;
  readonly text: string;
  readonly rows: number;
};

/** True for a row of the tenant, or of any tenant if none is given. It matches no index. */
const ofTenant = (column: string) => `coalesce(${column} = :tenant_id, true)`;

const CONTACT_DETAIL = `concat_ws(' · ', c.company, (
    select n.phone_number from contact_numbers n where n.ledger_id = c.ledger_id and n.contact_id = c.id
    order by n.position limit 1), c.external_ref)`;

// Finds resources with the id or the reference: at most one of each in a tenant.
const BY_NAME = statement<Given, SearchResult>(
  'search_by_name',
  `select 'tenant' as object, t.id, t.name as title, coalesce(t.external_ref, '') as detail, t.id as tenant_id
   from tenants t where t.ledger_id = :ledger_id and t.id = :text and t.deleted_at is null and ${ofTenant('t.id')}
   union all
   (select 'tenant', t.id, t.name, t.external_ref, t.id from tenants t
    where t.ledger_id = :ledger_id and t.external_ref = :text and t.deleted_at is null and ${ofTenant('t.id')}
    limit :rows)
   union all
   select 'contact', c.id, c.name, ${CONTACT_DETAIL}, c.tenant_id from contacts c
   where c.ledger_id = :ledger_id and c.id = :text and ${ofTenant('c.tenant_id')}
   union all
   (select 'contact', c.id, c.name, ${CONTACT_DETAIL}, c.tenant_id from contacts c
    where c.ledger_id = :ledger_id and c.external_ref = :text and ${ofTenant('c.tenant_id')} limit :rows)
   union all
   select 'phone_number', p.id, p.phone_number, p.status, p.tenant_id from phone_numbers p
   where p.ledger_id = :ledger_id and p.id = :text and p.status <> 'released' and ${ofTenant('p.tenant_id')}
   union all
   select 'conversation', v.id, v.external_number, v.last_message_preview, v.tenant_id from conversations v
   where v.ledger_id = :ledger_id and v.id = :text and ${ofTenant('v.tenant_id')}`,
);

/** Returns the resources with the text as their id or as their reference. */
export function findByName(db: Db, { ledgerId }: Ledger, page: Omit<Given, 'ledger_id'>): Promise<SearchResult[]> {
  return db.query(BY_NAME, { ledger_id: ledgerId, ...page });
}

type GivenNumber = Omit<Given, 'text'> & { readonly first: string; readonly end: string };

/** A range of an index that begins with the number. The order is by all columns of the index. */
const inRange = (column: string) => `${column} >= :first and ${column} < :end`;

const BY_NUMBER = statement<GivenNumber, SearchResult>(
  'search_by_number',
  `(select 'contact' as object, c.id, c.name as title, f.phone_number as detail, c.tenant_id
    from (select n.* from contact_numbers n
          where n.ledger_id = :ledger_id and ${inRange('n.phone_number')} and ${ofTenant('n.tenant_id')}
          order by n.phone_number, n.tenant_id limit :rows) f
    join contacts c on c.ledger_id = :ledger_id and c.id = f.contact_id)
   union all
   (select 'phone_number', p.id, p.phone_number, p.status, p.tenant_id from phone_numbers p
    where p.ledger_id = :ledger_id and ${inRange('p.phone_number collate "C"')} and p.status <> 'released'
      and ${ofTenant('p.tenant_id')}
    order by p.phone_number collate "C" limit :rows)
   union all
   (select 'conversation', v.id, v.external_number, v.last_message_preview, v.tenant_id from conversations v
    where v.ledger_id = :ledger_id and ${inRange('v.external_number')} and ${ofTenant('v.tenant_id')}
    order by v.external_number, v.phone_number_id limit :rows)`,
);

/** Returns the resources with a number that begins with the digits: contacts, numbers of tenants, conversations. */
export function findByNumber(
  db: Db,
  { ledgerId }: Ledger,
  { number, ...page }: Omit<GivenNumber, 'ledger_id' | 'first' | 'end'> & { readonly number: string },
): Promise<SearchResult[]> {
  return db.query(BY_NUMBER, { ledger_id: ledgerId, first: number, end: endOfPrefix(number), ...page });
}

type GivenContacts = Omit<Given, 'text' | 'tenant_id'> & { readonly contact_ids: readonly string[] };

// Without `offset 0` the planner may walk all contacts of the ledger and compare their ids.
const OF_CONTACTS = statement<GivenContacts, SearchResult>(
  'search_conversations_of_contacts',
  `select 'conversation' as object, v.id, c.name as title, v.external_number as detail, v.tenant_id
   from unnest(:contact_ids::text[]) as i (id)
   cross join lateral (
     select name, tenant_id from contacts where ledger_id = :ledger_id and id = i.id offset 0) c
   cross join lateral (
     select phone_number from contact_numbers where ledger_id = :ledger_id and contact_id = i.id offset 0) n
   cross join lateral (
     select id, external_number, tenant_id from conversations
     where ledger_id = :ledger_id and external_number = n.phone_number and tenant_id = c.tenant_id offset 0) v
   limit :rows`,
);

/** Returns the conversations with people that were found. */
export function findConversationsOf(
  db: Db,
  { ledgerId }: Ledger,
  contactIds: readonly string[],
  rows: number,
): Promise<SearchResult[]> {
  if (contactIds.length === 0) return Promise.resolve([]);
  return db.query(OF_CONTACTS, { ledger_id: ledgerId, contact_ids: contactIds, rows });
}
