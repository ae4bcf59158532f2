import type { Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { emitEvents, type NewEvent } from '../../events/index.ts';
import { moveMessages, type Receipt } from './queries.ts';
import type { Message } from './schema.ts';

/**
 * Moves messages to where the receipts say they are and emits message.sent, message.delivered or message.failed for
 * each that moved. A receipt that comes twice, late or for an unknown message changes nothing.
 * @returns the messages that moved
 */
export async function recordReceipts(tx: Tx, ledger: Ledger, receipts: readonly Receipt[]): Promise<Message[]> {
  if (receipts.length === 0) return [];
  const moved = await moveMessages(tx, ledger.ledgerId, receipts);
  await emitEvents(tx, ledger.ledgerId, moved.map(toEvent));
  return moved;
}

function toEvent(message: Message): NewEvent {
  const { id: resourceId, tenant_id: tenantId } = message;
  if (message.status === 'failed') {
    const data = { ...message, failure_reason: message.error_code };
    return { type: 'message.failed', tenantId, resourceId, data };
  }
  const type = message.status === 'sent' ? 'message.sent' : 'message.delivered';
  return { type, tenantId, resourceId, data: message };
}
