import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { findMessage } from '../messages/queries.ts';
import type { Message } from '../messages/schema.ts';
import { cancelScheduled } from './queries.ts';

/**
 * Cancels a text that waits for its time. A repeat returns the canceled text.
 * Errors: message_not_found, tenant_restricted_key, message_not_cancellable.
 */
export async function cancelMessage(tx: Tx, scope: Scope, id: string): Promise<Message> {
  const message = visible(scope, await findMessage(tx, scope, id), 'message_not_found');
  if (message.status === 'canceled') return message;
  const { send_at: sendAt } = message;
  const canceled = sendAt === null ? undefined : await cancelScheduled(tx, scope, { id, sendAt });
  if (canceled !== undefined) return canceled;
  // Another request may have canceled it in the meantime.
  const now = await findMessage(tx, scope, id);
  if (now?.status === 'canceled') return now;
  throw new ApiError('message_not_cancellable');
}
