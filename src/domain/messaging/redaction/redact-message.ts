import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { dropBlobs } from '../../../queue/jobs/drop-blobs.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import { recordActions } from '../../audit/index.ts';
import { type EventData, redactEvents } from '../../events/index.ts';
import { forgetPreviews } from '../conversations/activity-queries.ts';
import { previewOf } from '../messages/draft.ts';
import { findMessage } from '../messages/queries.ts';
import type { Message } from '../messages/schema.ts';
import { emptyRedacted, markRedacted } from './queries.ts';
import { REDACT_MESSAGE, type RedactMessage } from './redaction-job.ts';

/**
 * Deletes the body and the media of a text. A text that is not sent yet keeps them in its row, hidden from readers,
 * until it has left. Then a job deletes them. A repeat returns the text. Errors: message_not_found,
 * tenant_restricted_key.
 */
export async function redactMessage(tx: Tx, scope: Scope, id: string): Promise<Message> {
  const message = visible(scope, await findMessage(tx, scope, id), 'message_not_found');
  if (message.redacted_at !== null) return message;
  const redacted = await markRedacted(tx, scope, id);
  if (redacted === undefined) throw new ApiError('message_not_found');
  const { tenant_id: tenantId, conversation_id: conversationId } = redacted;
  if (conversationId !== null) {
    const preview = previewOf(message.body, message.media.length);
    await forgetPreviews(tx, scope.ledgerId, [{ conversationId, preview }]);
  }
  await redactEvents(tx, scope.ledgerId, [id], redactedMessageData(redacted.redacted_at));
  if (redacted.status === 'scheduled' || redacted.status === 'queued') {
    const payload: RedactMessage = { messageId: id };
    await enqueue(tx, [{ ledgerId: scope.ledgerId, queue: 'default', kind: REDACT_MESSAGE, payload }]);
  } else {
    await dropBlobs(tx, await emptyRedacted(tx, scope, id));
  }
  await recordActions(tx, scope, [{ action: 'message.redacted', resourceId: id, tenantId }]);
  return redacted;
}

/** Returns the function that redacts the data of the events of texts. */
export function redactedMessageData(redactedAt: Date | null) {
  return (_type: string, data: EventData): EventData | undefined =>
    data['object'] === 'message' ? { ...data, body: '', media: [], redacted_at: redactedAt } : undefined;
}
