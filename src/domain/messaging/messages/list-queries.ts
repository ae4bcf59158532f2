import type { Db } from '../../../db/database.ts';
import { byMoment, isOf, listReader, type Positioned, tenantReader } from '../../../db/list.ts';
import type { Position, Range } from '../../../http/schemas/pagination.ts';
import { ANONYMOUS } from '../../../lib/phone/party.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { MESSAGE_COLUMNS } from './queries.ts';
import { MESSAGE_DIRECTIONS, MESSAGE_STATES, type MessageDirection, type MessageState } from './rules.ts';
import type { Message } from './schema.ts';

export type ListedMessage = Positioned<Message>;

const LIST = {
  name: 'messages_list',
  from: ['messages', 'm'],
  columns: MESSAGE_COLUMNS,
  order: byMoment('m.created_at'),
  filters: { tenantId: 'm.tenant_id = ?', from: 'm."from" = ?', to: 'm."to" = ?', status: 'm.status = ?' },
} as const;

const STATUS = { sql: 'm.status' };
const IN_CONVERSATION = [{ sql: 'm.conversation_id' }, { sql: 'm.direction' }];

const readList = tenantReader<ListedMessage>(LIST, [STATUS]);
// A conversation has few texts, and its index also finds the previous text of a text.
const readConversation = listReader<ListedMessage>(LIST, {
  name: 'conversation',
  keys: IN_CONVERSATION,
  keysApart: true,
});
const readSentBy = listReader<ListedMessage>(LIST, {
  name: 'sent_by',
  keys: [{ sql: 'm."from"' }, STATUS],
  where: `m.direction = 'outbound'`,
});
const readReceivedBy = listReader<ListedMessage>(LIST, {
  name: 'received_by',
  keys: [{ sql: 'm."to"' }],
  where: `m.direction = 'inbound'`,
});
// A person has few conversations. Texts from the person are inbound, texts to the person outbound.
const readExternal = listReader<ListedMessage>(LIST, {
  name: 'external',
  keys: IN_CONVERSATION,
  keysApart: true,
  armsFrom: `select t.id, :key2::text from conversations t where t.ledger_id = :ledger_id and t.external_number = :key1`,
});

// Texts from withheld numbers have no conversation.
const readWithheld = listReader<ListedMessage>(LIST, {
  name: 'withheld',
  keys: [],
  where: 'm.conversation_id is null',
});

export type MessageFilter = {
  tenantId: string | null;
  conversation: { readonly id: string; readonly tenant_id: string } | null;
  direction: MessageDirection | null;
  from: string | null;
  to: string | null;
  status: MessageState | null;
};
type Page = { range: Range; before: Position; rows: number };

/**
 * Returns messages, newest first.
 *
 * A number in `from` or `to` belongs to the ledger or to a person. Texts of a number of the ledger have an index. Texts
 * of a person, and texts between two numbers, are read from the person's conversations.
 */
export function listMessages(
  db: Db,
  { ledgerId }: Pick<Ledger, 'ledgerId'>,
  filter: MessageFilter,
  page: Page,
): Promise<ListedMessage[]> {
  const { tenantId, conversation, direction, from, to, status } = filter;
  const statuses = statusesOf(direction).filter((candidate) => status === null || candidate === status);
  const directions = MESSAGE_DIRECTIONS.filter((candidate) =>
    statusesOf(candidate).some((directionStatus) => statuses.includes(directionStatus)),
  );
  if (conversation !== null) {
    const arms = isOf(conversation, tenantId) ? directions.map((armDirection) => [conversation.id, armDirection]) : [];
    return readConversation(db, ledgerId, { ...page, arms, filters: { from, to, status } });
  }
  if (statuses.length === 0) return Promise.resolve([]);
  const ofPerson = (number: string, way: MessageDirection) => {
    const arms = directions.includes(way) ? [[number, way]] : [];
    return readExternal(db, ledgerId, { ...page, arms, filters: { tenantId, from, to, status } });
  };
  if (from === ANONYMOUS) {
    // Earlier versions gave such texts a conversation.
    const withheld = readWithheld(db, ledgerId, { ...page, filters: { tenantId, from, to, status } });
    return newest(page.rows, [withheld, ofPerson(from, 'inbound')]);
  }
  if (from !== null && to !== null) {
    return newest(page.rows, [ofPerson(from, 'inbound'), ofPerson(to, 'outbound')]);
  }
  if (from !== null) {
    const arms = statuses.filter((armStatus) => armStatus !== 'received').map((armStatus) => [from, armStatus]);
    const sent = readSentBy(db, ledgerId, { ...page, arms, filters: { tenantId } });
    return newest(page.rows, [sent, ofPerson(from, 'inbound')]);
  }
  if (to !== null) {
    const arms = statuses.includes('received') ? [[to]] : [];
    const received = readReceivedBy(db, ledgerId, { ...page, arms, filters: { tenantId } });
    return newest(page.rows, [received, ofPerson(to, 'outbound')]);
  }
  return readList(db, ledgerId, { tenantId, ...page, arms: statuses.map((armStatus) => [armStatus]) });
}

/** Returns messages of a conversation, newest first. */
export function listMessagesOfConversation(
  db: Db,
  { ledgerId }: Pick<Ledger, 'ledgerId'>,
  { conversationId, ...page }: { conversationId: string; before: Position; rows: number },
): Promise<ListedMessage[]> {
  const arms = MESSAGE_DIRECTIONS.map((direction) => [conversationId, direction]);
  return readConversation(db, ledgerId, { ...page, arms });
}

/** Received texts have a different status from sent texts, so the status shows the direction. */
function statusesOf(direction: MessageDirection | null): readonly MessageState[] {
  return MESSAGE_STATES.filter((status) => direction === null || (status === 'received') === (direction === 'inbound'));
}

/** Merges lists; no message is in two of them. */
async function newest(rows: number, lists: readonly Promise<ListedMessage[]>[]): Promise<ListedMessage[]> {
  const all = (await Promise.all(lists)).flat();
  const key = ({ position, id }: ListedMessage) => `${position} ${id}`;
  return all.sort((a, b) => (key(a) < key(b) ? 1 : -1)).slice(0, rows);
}
