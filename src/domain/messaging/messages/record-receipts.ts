import type { Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { emitEvents, type NewEvent } from '../../events/index.ts';
import { moveMessages, type Receipt } from './queries.ts';
import type { Message } from './schema.ts';

/**
 * Applies receipts to messages and emits message.sent, message.delivered or message.failed for each change. Receipts
 * for one message are applied in the order given. A repeated or late receipt, or one for an unknown message, changes
 * nothing.
 */
export async function recordReceipts(tx: Tx, ledger: Ledger, receipts: readonly Receipt[]): Promise<void> {
  for (const round of inRounds(receipts)) {
    const moved = await moveMessages(tx, ledger.ledgerId, round);
    await emitEvents(tx, ledger.ledgerId, moved.map(toEvent));
  }
}

/** Groups the first receipts of all messages, then the second ones, and so on: a statement takes one per message. */
function inRounds(receipts: readonly Receipt[]): Receipt[][] {
  const rounds: Receipt[][] = [];
  const counts = new Map<string, number>();
  for (const receipt of receipts) {
    const round = counts.get(receipt.messageId) ?? 0;
    counts.set(receipt.messageId, round + 1);
    rounds[round] ??= [];
    rounds[round].push(receipt);
  }
  return rounds;
}

function toEvent(message: Message): NewEvent {
  const { id: resourceId, tenant_id: tenantId, status, status_history: history } = message;
  if (status === 'sent') return { type: 'message.sent', tenantId, resourceId, data: message };
  const of = {
    tenantId,
    resourceId,
    ...(!history.some((entry) => entry.status === 'sent') && { isOnly: true as const }),
  };
  if (status === 'delivered') return { ...of, type: 'message.delivered', data: message };
  return { ...of, type: 'message.failed', data: { ...message, failure_reason: message.error_code } };
}
