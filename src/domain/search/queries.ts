import type { Db } from '../../db/database.ts';
import { joinKeys } from '../../db/list.ts';
import { statement } from '../../db/statement.ts';
import type { Ledger } from '../../lib/scope.ts';
import { endOfPrefix } from '../../lib/words.ts';
import { contactIdOf } from '../contacts/index.ts';
import type { SearchResult } from './schema.ts';

type Given = {
  readonly ledger_id: number;
  readonly tenant_id: string | null;
  readonly text: string;
  readonly rows: number;
};

/**
 * The parts of a statement about one table, whose columns are named with their alias. A search of one tenant has
 * statements with their own indexes, so that it does not read rows of other tenants.
 */
type Place = {
  /** A condition: the row belongs to the tenant. */
  readonly has: (tenant: string) => string;
  /**
   * The first column of an index after the ledger. In a search of one tenant, the tenant's id comes before the value.
   */
  readonly key: (tenant: string, value: string) => string;
  /** The conversations whose person's number begins as given, in the order of an index. */
  readonly conversationsByNumber: string;
};
const LEDGER: Place = {
  has: () => 'true',
  key: (_, value) => value,
  conversationsByNumber: `select * from conversations
      where ledger_id = :ledger_id and external_number >= :first::text and external_number < :end::text
      order by external_number, phone_number_id limit :rows`,
};
const PERSON = joinKeys('tenant_id', 'external_number');
const TENANT: Place = {
  has: (tenant) => `${tenant} = :tenant_id`,
  key: joinKeys,
  conversationsByNumber: `select c.* from (
        select conversation_id from conversation_people where ledger_id = :ledger_id
          and ${PERSON} >= ${joinKeys(':tenant_id::text', ':first::text')}
          and ${PERSON} < ${joinKeys(':tenant_id::text', ':end::text')}
        order by ${PERSON}, conversation_id limit :rows) p
      cross join lateral (
        select * from conversations where ledger_id = :ledger_id and id = p.conversation_id offset 0) c`,
};

/** Returns a reader that runs the statement of the whole ledger or the statement of one tenant. */
function reader<Values extends { readonly tenant_id: string | null }>(name: string, sql: (place: Place) => string) {
  const ofLedger = statement<Values, SearchResult>(`${name}_ledger`, sql(LEDGER));
  const ofTenant = statement<Values, SearchResult>(`${name}_tenant`, sql(TENANT));
  return (db: Db, values: Values): Promise<SearchResult[]> =>
    db.query(values.tenant_id === null ? ofLedger : ofTenant, values);
}

const CONTACT_DETAIL = `concat_ws(' · ', c.company, (
    select n.phone_number from contact_numbers n where n.ledger_id = c.ledger_id and n.contact_id = c.id
    order by n.position limit 1), c.external_ref)`;

/** A conversation `v` with its contact, as lists of conversations show it. The order of the rows stays. */
const TALK = `'conversation', v.id, coalesce(k.name, v.external_number),
     case when k.name is null then v.last_message_preview else v.external_number end, v.tenant_id,
     case when k.name is null then v.last_activity_kind end`;
const NAME_OF_TALK = `cross join lateral (select (
     select c.name from contacts c where c.ledger_id = v.ledger_id and c.id = ${contactIdOf('v')}) as name) k`;

// Finds resources with the id or the reference: at most one of each in a tenant.
const readByName = reader<Given>(
  'search_by_name',
  ({ has }) => `select 'tenant' as object, t.id, t.name as title, coalesce(t.external_ref, '') as detail,
     t.id as tenant_id, null as last_activity_kind
   from tenants t where t.ledger_id = :ledger_id and t.id = :text and t.deleted_at is null and ${has('t.id')}
   union all
   (select 'tenant', t.id, t.name, t.external_ref, t.id, null from tenants t
    where t.ledger_id = :ledger_id and t.external_ref = :text and t.deleted_at is null and ${has('t.id')}
    limit :rows)
   union all
   select 'contact', c.id, c.name, ${CONTACT_DETAIL}, c.tenant_id, null from contacts c
   where c.ledger_id = :ledger_id and c.id = :text and ${has('c.tenant_id')}
   union all
   (select 'contact', c.id, c.name, ${CONTACT_DETAIL}, c.tenant_id, null from contacts c
    where c.ledger_id = :ledger_id and c.external_ref = :text and ${has('c.tenant_id')} limit :rows)
   union all
   select 'phone_number', p.id, p.phone_number, p.status, p.tenant_id, null from phone_numbers p
   where p.ledger_id = :ledger_id and p.id = :text and p.status <> 'released' and ${has('p.tenant_id')}
   union all
   select ${TALK} from conversations v ${NAME_OF_TALK}
   where v.ledger_id = :ledger_id and v.id = :text and ${has('v.tenant_id')}`,
);

/** Returns the resources with the text as their id or as their reference. */
export function findByName(db: Db, { ledgerId }: Ledger, page: Omit<Given, 'ledger_id'>): Promise<SearchResult[]> {
  return readByName(db, { ledger_id: ledgerId, ...page });
}

type GivenNumber = Omit<Given, 'text'> & { readonly first: string; readonly end: string };

/** Rows whose number begins as given, in the order of an index: of its number, or of its tenant and number. */
function inRange({ key }: Place, tenant: string, number: string): { readonly range: string; readonly order: string } {
  const [first, end] = [key(':tenant_id::text', ':first::text'), key(':tenant_id::text', ':end::text')];
  const order = key(tenant, number);
  return { range: `${order} >= ${first} and ${order} < ${end}`, order };
}

const readByNumber = reader<GivenNumber>('search_by_number', (place) => {
  const contacts = inRange(place, 'n.tenant_id', 'n.phone_number');
  const numbers = inRange(place, 'p.tenant_id', 'p.phone_number collate "C"');
  return `(select 'contact' as object, c.id, c.name as title, f.phone_number as detail, c.tenant_id,
      null as last_activity_kind
    from (select n.* from contact_numbers n where n.ledger_id = :ledger_id and ${contacts.range}
          order by ${contacts.order}, n.tenant_id limit :rows) f
    join contacts c on c.ledger_id = :ledger_id and c.id = f.contact_id)
   union all
   (select 'phone_number', p.id, p.phone_number, p.status, p.tenant_id, null from phone_numbers p
    where p.ledger_id = :ledger_id and ${numbers.range} and p.status <> 'released' order by ${numbers.order} limit :rows)
   union all
   (select ${TALK} from (${place.conversationsByNumber}) v ${NAME_OF_TALK})`;
});

/** Returns the resources with a number that begins with the digits: contacts, numbers of tenants, conversations. */
export function findByNumber(
  db: Db,
  { ledgerId }: Ledger,
  { number, ...page }: Omit<GivenNumber, 'ledger_id' | 'first' | 'end'> & { readonly number: string },
): Promise<SearchResult[]> {
  return readByNumber(db, { ledger_id: ledgerId, first: number, end: endOfPrefix(number), ...page });
}

type GivenContacts = Omit<Given, 'text' | 'tenant_id'> & { readonly contact_ids: readonly string[] };

// Without `offset 0` the planner may read all contacts of the ledger and compare their ids.
const OF_CONTACTS = statement<GivenContacts, SearchResult>(
  'search_conversations_of_contacts',
  `select 'conversation' as object, v.id, c.name as title, v.external_number as detail, v.tenant_id,
     null as last_activity_kind
   from unnest(:contact_ids::text[]) as i (id)
   cross join lateral (
     select name, tenant_id from contacts where ledger_id = :ledger_id and id = i.id offset 0) c
   cross join lateral (
     (select id, external_number, tenant_id from conversations
      where ledger_id = :ledger_id and contact_id = i.id limit :rows)
     union all
     (select t.id, t.external_number, t.tenant_id
      from (select phone_number from contact_numbers where ledger_id = :ledger_id and contact_id = i.id offset 0) n
      cross join lateral (
        select id, external_number, tenant_id from conversations
        where ledger_id = :ledger_id and external_number = n.phone_number and tenant_id = c.tenant_id
          and contact_id is null offset 0) t
      limit :rows)) v
   limit :rows`,
);

/** Returns the conversations with the people of the given contacts. */
export function findConversationsOf(
  db: Db,
  { ledgerId }: Ledger,
  contactIds: readonly string[],
  rows: number,
): Promise<SearchResult[]> {
  if (contactIds.length === 0) return Promise.resolve([]);
  return db.query(OF_CONTACTS, { ledger_id: ledgerId, contact_ids: contactIds, rows });
}
