import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Scope } from '../../../lib/scope.ts';
import { dropBlobs } from '../../../queue/jobs/drop-blobs.ts';
import { recordActions } from '../../audit/index.ts';
import { type EventData, redactEvents } from '../../events/index.ts';
import { getCall } from '../calls/control/control-call.ts';
import type { InLedger } from '../calls/queries.ts';
import { utteranceBlobs } from '../transcripts/utterance-audio.ts';
import { deleteTranscriptRows } from './queries.ts';

/**
 * Deletes the transcript and the summary of a call. Later words of the call are not added. Errors: call_not_found,
 * tenant_restricted_key, transcript_not_found.
 */
export async function deleteTranscript(tx: Tx, scope: Scope, callId: string): Promise<void> {
  const { tenant_id } = await getCall(tx, scope, callId);
  if ((await deleteTranscripts(tx, scope, [callId])) === 0) throw new ApiError('transcript_not_found');
  await recordActions(tx, scope, [{ action: 'transcript.deleted', resourceId: callId, tenantId: tenant_id }]);
}

/**
 * Deletes the transcripts and summaries of calls, and redacts their events.
 * @param owner see `dropBlobs`
 * @returns how many calls still had them
 */
export async function deleteTranscripts(
  tx: Tx,
  ledger: InLedger,
  callIds: readonly string[],
  owner?: string,
): Promise<number> {
  const deleted = await deleteTranscriptRows(tx, ledger, callIds);
  await redactEvents(tx, ledger.ledgerId, deleted.callIds, (_type, data) =>
    redactedTranscriptData(data, deleted.deletedAt),
  );
  await dropBlobs(tx, utteranceBlobs(ledger, deleted.utteranceRefs), { owner });
  return deleted.callIds.length;
}

/** Returns the data of a call's event without transcript and summary; undefined for data that has neither. */
function redactedTranscriptData(data: EventData, redactedAt: Date | null): EventData | undefined {
  if (data['object'] === 'call_transcript_segment') return { ...data, text: '', redacted_at: redactedAt };
  if (data['object'] === 'call' && data['summary'] !== null) return { ...data, summary: null };
  return undefined;
}
