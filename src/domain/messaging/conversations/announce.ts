import type { Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { emitEvent } from '../../events/index.ts';
import { findConversation } from './queries.ts';
import type { Conversation, ConversationChange, ConversationField } from './schema.ts';

type InLedger = Pick<Ledger, 'ledgerId'>;

/** Emits conversation.updated with what has changed. */
export async function announceUpdated(
  tx: Tx,
  { ledgerId }: InLedger,
  conversation: Conversation,
  changed: readonly ConversationChange[],
): Promise<void> {
  const { id: resourceId, tenant_id: tenantId } = conversation;
  const data = { ...conversation, changed: [...changed] };
  await emitEvent(tx, ledgerId, { type: 'conversation.updated', tenantId, resourceId, data });
}

/** Emits conversation.updated if an activity of the person has opened a conversation or ended its snooze. */
export async function announceReopened(
  tx: Tx,
  ledger: InLedger,
  { id, reopened }: { readonly id: string; readonly reopened: readonly ConversationField[] | null },
): Promise<void> {
  if (reopened === null) return;
  const conversation = await findConversation(tx, ledger, id);
  if (conversation !== undefined) await announceUpdated(tx, ledger, conversation, reopened);
}
