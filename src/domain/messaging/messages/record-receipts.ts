import type { TextReceipt } from '../../../carriers/ports/messaging.ts';
import type { Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { emitEvents, type NewEvent } from '../../events/index.ts';
import { recordBlock } from '../opt-outs/change-opt-out.ts';
import { moveMessages, type Receipt } from './queries.ts';
import type { Message } from './schema.ts';

/**
 * Applies receipts to messages and emits message.sent, message.delivered or message.failed for each change. Receipts
 * for one message are applied in the order given. A repeated or late receipt, or one for an unknown message, changes
 * nothing. A text that the carrier blocks opts its person out.
 */
export async function recordReceipts(tx: Tx, ledger: Ledger, receipts: readonly Receipt[]): Promise<void> {
  for (const round of inRounds(receipts)) {
    const moved = await moveMessages(tx, ledger.ledgerId, round);
    await emitEvents(tx, ledger.ledgerId, moved.map(toEvent));
    await recordBlocks(tx, ledger, moved, round);
  }
}

/** Returns a carrier's receipt as it is applied to a message. */
export function receiptOf(messageId: string, receipt: TextReceipt): Receipt {
  const { status, failureReason = 'carrier_rejected', errorDetail, isBlocked } = receipt;
  if (status !== 'failed') return { messageId, status, errorCode: null };
  return { messageId, status, errorCode: failureReason, errorDetail, ...(isBlocked === true && { blocked: 'later' }) };
}

/** Opts out the people that the carrier blocks. */
async function recordBlocks(tx: Tx, ledger: Ledger, moved: readonly Message[], round: readonly Receipt[]) {
  const blocks = new Map(round.flatMap(({ messageId, blocked }) => (blocked ? [[messageId, blocked]] : [])));
  for (const { id, tenant_id: tenantId, to: externalNumber, send_at, created_at } of moved) {
    const blocked = blocks.get(id);
    if (blocked === undefined) continue;
    // The person may have texted START after the text was sent; the receipt does not say so.
    const sentAt = blocked === 'later' ? new Date(send_at ?? created_at) : undefined;
    await recordBlock(tx, ledger, { tenantId, externalNumber }, sentAt);
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
