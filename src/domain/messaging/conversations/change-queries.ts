import type { Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { findConversation } from './queries.ts';
import type { Conversation } from './schema.ts';

const LOCK = statement(
  'conversations_lock',
  `select contact_id as chosen, ledger_now($1) as now from conversations where ledger_id = $1 and id = $2
   for no key update`,
);

/** A locked conversation, the contact that was chosen for it, and the ledger's time. */
export type LockedConversation = {
  readonly conversation: Conversation;
  readonly chosen: string | null;
  readonly now: Date;
};

/** Locks a conversation until the transaction ends, and returns it as it is then. */
export async function lockConversation(
  tx: Tx,
  ledger: Pick<Ledger, 'ledgerId'>,
  id: string,
): Promise<LockedConversation | undefined> {
  const [row] = await tx.query<{ chosen: string | null; now: Date }>(LOCK, [ledger.ledgerId, id]);
  if (row === undefined) return undefined;
  return { conversation: (await findConversation(tx, ledger, id)) as Conversation, ...row };
}

type StoredFields = Pick<Conversation, 'id' | 'state' | 'assignee' | 'snoozed_until' | 'tags' | 'contact_id'>;

const UPDATE = statement<StoredFields & { readonly ledger_id: number }>(
  'conversations_update',
  `update conversations set state = :state, assignee = :assignee, snoozed_until = :snoozed_until, tags = :tags::text[],
     contact_id = :contact_id
   where ledger_id = :ledger_id and id = :id`,
);

/** Writes the fields of a locked conversation. `contact_id` is the contact that was chosen. */
export async function updateConversationRow(
  tx: Tx,
  { ledgerId }: Pick<Ledger, 'ledgerId'>,
  { id, state, assignee, snoozed_until, tags, contact_id }: StoredFields,
): Promise<void> {
  await tx.query(UPDATE, { ledger_id: ledgerId, id, state, assignee, snoozed_until, tags, contact_id });
}
