import type { Db } from '../../../db/database.ts';
import { byMoment, isOf, listReader, type Positioned, tenantReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import type { Position } from '../../../http/schemas/pagination.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { contactIdOf } from '../../contacts/index.ts';
import { NOBODY, STATES } from './rules.ts';
import type { Conversation } from './schema.ts';

const CONTACT = contactIdOf('c');

const COLUMNS = `c.id, 'conversation' as object, c.tenant_id, c.phone_number_id, c.external_number, c.last_activity_at,
  c.last_message_preview, c.last_activity_kind, coalesce((
    select true from opt_outs o
    where o.ledger_id = c.ledger_id and o.tenant_id = c.tenant_id and o.external_number = c.external_number
      and 'text' = any(o.channels)
  ), false) as opted_out, c.state, c.assignee, c.snoozed_until, c.tags, ${CONTACT} as contact_id`;

const FIND = statement(
  'conversations_find',
  `select ${COLUMNS} from conversations c where c.ledger_id = $1 and c.id = $2`,
);

export async function findConversation(
  db: Db,
  { ledgerId }: Pick<Ledger, 'ledgerId'>,
  id: string,
): Promise<Conversation | undefined> {
  const [row] = await db.query<Conversation>(FIND, [ledgerId, id]);
  return row;
}

const LIST = {
  name: 'conversations_list',
  from: ['conversations', 'c'],
  columns: COLUMNS,
  order: byMoment('c.last_activity_at'),
  filters: {
    tenantId: 'c.tenant_id = ?',
    phoneNumberId: 'c.phone_number_id = ?',
    optedOut: 'c.opted_out = ?',
    state: 'c.state = ?',
    assignee: 'c.assignee = ?',
    assigned: '(c.assignee is not null) = ?',
    tag: '? = any (c.tags)',
    contactId: `${CONTACT} = ?`,
  },
} as const;

const FLAGS = [
  { sql: 'c.opted_out', type: 'boolean' },
  { sql: 'c.state' },
  { sql: '(c.assignee is not null)', type: 'boolean' },
] as const;
const readList = tenantReader<ListedConversation>(LIST, FLAGS);
const readNumber = listReader<ListedConversation>(LIST, {
  name: 'number',
  keys: [{ sql: 'c.phone_number_id' }, ...FLAGS],
});

// A person has few conversations, so all of them are read and sorted.
const readExternal = listReader<ListedConversation>(LIST, {
  name: 'external',
  keys: [{ sql: 'c.external_number' }],
});
// A contact's conversations are: the conversations with its numbers, and conversations that a user linked to it.
const readContact = listReader<ListedConversation>(LIST, {
  name: 'contact',
  keys: [{ sql: 'c.id' }],
  armsFrom: `select t.id from conversations t where t.ledger_id = :ledger_id and t.contact_id = :key1
    union select t.id from contact_numbers n join conversations t on t.ledger_id = n.ledger_id
      and t.external_number = n.phone_number and t.tenant_id = n.tenant_id and t.contact_id is null
    where n.ledger_id = :ledger_id and n.contact_id = :key1`,
});

const LABELLED = {
  name: 'conversations_labelled',
  from: ['conversation_labels', 'l'],
  ids: ['conversation_id'],
  columns: COLUMNS,
  join: 'join conversations c on c.ledger_id = l.ledger_id and c.id = l.conversation_id',
  order: byMoment('l.last_activity_at'),
} as const;
const LABEL = [{ sql: 'l.label' }, { sql: 'l.opted_out', type: 'boolean' }, { sql: 'l.state' }] as const;
const readLabel = tenantReader<ListedConversation>(LABELLED, LABEL);
const readLabelOfNumber = listReader<ListedConversation>(LABELLED, {
  name: 'number',
  keys: [{ sql: 'l.phone_number_id' }, ...LABEL],
});

/** A conversation with its position in the list: microseconds, so that two activities rarely share one. */
export type ListedConversation = Positioned<Conversation>;

export type ConversationFilter = {
  readonly tenantId: string | null;
  readonly number: { readonly id: string; readonly tenant_id: string } | null;
  readonly externalNumber: string | null;
  readonly optedOut: boolean | null;
  readonly state: Conversation['state'] | null;
  /** The platform's id of a user, or `none`. */
  readonly assignee: string | null;
  readonly tag: string | null;
  readonly contactId: string | null;
};

type ConversationPage = ConversationFilter & { readonly before: Position; readonly rows: number };

/** Returns conversations, latest activity first. */
export async function listConversations(
  db: Db,
  { ledgerId }: Ledger,
  page: ConversationPage,
): Promise<ListedConversation[]> {
  const { before, rows, number, tenantId, externalNumber, contactId } = page;
  const at = { before, rows };
  if (externalNumber !== null) {
    return readExternal(db, ledgerId, { ...at, arms: [[externalNumber]], filters: rowFilters(page) });
  }
  if (contactId !== null) return readContact(db, ledgerId, { ...at, arms: [[contactId]], filters: rowFilters(page) });
  if (number !== null && !isOf(number, tenantId)) return [];
  const label = labelOf(page);
  const arms = armsOf(page, label);
  const [readAll, readOfNumber] = label === null ? [readList, readNumber] : [readLabel, readLabelOfNumber];
  if (number === null) return readAll(db, ledgerId, { tenantId, ...at, arms });
  return await readOfNumber(db, ledgerId, { ...at, arms: arms.map((arm) => [number.id, ...arm]) });
}

/** The filters of a person's or a contact's conversations. */
function rowFilters({ tenantId, number, optedOut, state, assignee, tag, contactId }: ConversationFilter) {
  const who = assignee === NOBODY ? { assigned: false } : { assignee };
  return { tenantId, phoneNumberId: number?.id, optedOut, state, tag, contactId, ...who };
}

/** Returns the label that conversations of the assignee and with the tag have, as `labels_of` makes them. */
function labelOf({ assignee, tag }: ConversationFilter): string | null {
  if (tag === null) return assignee === null || assignee === NOBODY ? null : `assignee/${assignee}`;
  if (assignee === null) return `tag/${tag}`;
  // PostgreSQL counts characters, as the iterator of a string does.
  return assignee === NOBODY ? `unassigned_tag/${tag}` : `assigned_tag/${[...tag].length}/${tag}/${assignee}`;
}

/** Returns the ranges of the index with the conversations: by their flags and by a label. */
function armsOf({ optedOut, state, assignee }: ConversationFilter, label: string | null): (string | boolean)[][] {
  const flags = (optedOut === null ? [true, false] : [optedOut]).flatMap((opted) =>
    (state === null ? STATES : [state]).map((wantedState) => [opted, wantedState]),
  );
  if (label !== null) return flags.map((flag) => [label, ...flag]);
  const assigned = assignee === NOBODY ? [false] : [true, false];
  return flags.flatMap((flag) => assigned.map((assignment) => [...flag, assignment]));
}
