import type { Database, Tx } from '../../../db/database.ts';
import { dropBlobs } from '../../../queue/jobs/drop-blobs.ts';
import { defineDeletion, type Sweep } from '../../../queue/worker/sweep.ts';
import { redactEvents } from '../../events/index.ts';
import type { RetentionRound } from '../../tenants/index.ts';
import { forgetPreviews } from '../conversations/activity-queries.ts';
import { previewOf } from '../messages/draft.ts';
import { redactedMessageData } from '../redaction/redact-message.ts';
import { deleteMessageRows, findOldMessages, type OldMessage } from './queries.ts';

/** Texts of a round. They are found without a lock. */
const ROWS_MAX = 1_000;
/** Texts of a transaction, which locks them for some milliseconds. */
const BATCH_ROWS = 25;

/** Returns the sweep that deletes texts past the retention of their tenants. */
export function messageRetention(db: Database): Sweep {
  return defineDeletion({
    db,
    name: 'message_retention',
    rowsMax: ROWS_MAX,
    remove: (rowsMax) => sweepMessages(db, { rowsMax }),
  });
}

/** Deletes texts past their retention in short transactions. @returns how many */
export async function sweepMessages(db: Database, round: RetentionRound): Promise<number> {
  const old = await findOldMessages(db, round);
  for (const [ledgerId, rows] of Map.groupBy(old, (row) => row.ledger_id)) {
    for (let at = 0; at < rows.length; at += BATCH_ROWS) {
      const ids = rows.slice(at, at + BATCH_ROWS).map(({ id }: OldMessage) => id);
      await db.transaction((tx) => deleteMessages(tx, ledgerId, ids));
    }
  }
  return old.length;
}

/**
 * Deletes texts with their files and previews, and redacts their events.
 * @param owner see `dropBlobs`
 * @returns how many there were
 */
export async function deleteMessages(
  tx: Tx,
  ledgerId: number,
  ids: readonly string[],
  owner?: string,
): Promise<number> {
  // Sorted, so that two transactions wait for each other and do not deadlock.
  const { messages, blobKeys } = await deleteMessageRows(tx, ledgerId, ids.toSorted());
  const previews = messages.flatMap(({ conversation_id: conversationId, body, media_count }) =>
    conversationId === null ? [] : [{ conversationId, preview: previewOf(body, media_count) }],
  );
  const [first] = messages;
  await redactEvents(
    tx,
    ledgerId,
    messages.map(({ id }) => id),
    redactedMessageData(first?.deleted_at ?? null),
  );
  await dropBlobs(tx, blobKeys, { owner });
  // Last, because a text that arrives waits for the lock of its conversation.
  await forgetPreviews(tx, ledgerId, previews);
  return messages.length;
}
