import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { dropBlobs } from '../../../queue/jobs/drop-blobs.ts';
import { recordActions } from '../../audit/index.ts';
import { type EventData, redactEvents } from '../../events/index.ts';
import type { InLedger } from '../calls/queries.ts';
import { findRecording } from '../recordings/queries.ts';
import { findVoicemail } from '../voicemails/queries.ts';
import { deleteAudioRows, recordingOfVoicemail } from './queries.ts';

/** Deletes a recording. Errors: recording_not_found, tenant_restricted_key. */
export async function deleteRecording(tx: Tx, scope: Scope, id: string): Promise<void> {
  const { tenant_id } = visible(scope, await findRecording(tx, scope, id), 'recording_not_found');
  const deleted = await deleteAudio(tx, scope, [id]);
  // Another request has deleted it in the meantime.
  if (deleted.recordingIds.length === 0) throw new ApiError('recording_not_found');
  await recordActions(tx, scope, [{ action: 'recording.deleted', resourceId: id, tenantId: tenant_id }]);
}

/** Deletes a voicemail with its recording. Errors: voicemail_not_found, tenant_restricted_key. */
export async function deleteVoicemail(tx: Tx, scope: Scope, id: string): Promise<void> {
  const { tenant_id } = visible(scope, await findVoicemail(tx, scope, id), 'voicemail_not_found');
  const recordingId = await recordingOfVoicemail(tx, scope, id);
  const deleted = recordingId === undefined ? undefined : await deleteAudio(tx, scope, [recordingId]);
  if (deleted === undefined || deleted.voicemailIds.length === 0) throw new ApiError('voicemail_not_found');
  await recordActions(tx, scope, [{ action: 'voicemail.deleted', resourceId: id, tenantId: tenant_id }]);
}

/**
 * Deletes recordings, and the voicemails whose audio they contain, and redacts their events. Plans a durable job that
 * removes the audio after the commit.
 * @param owner see `dropBlobs`
 */
export async function deleteAudio(
  tx: Tx,
  ledger: InLedger,
  recordingIds: readonly string[],
  owner?: string,
): Promise<{ readonly recordingIds: readonly string[]; readonly voicemailIds: readonly string[] }> {
  const { blobKeys, deletedAt, ...deleted } = await deleteAudioRows(tx, ledger, recordingIds);
  await redactEvents(tx, ledger.ledgerId, [...deleted.recordingIds, ...deleted.voicemailIds], (_type, data) =>
    redactedAudioData(data, deletedAt),
  );
  await dropBlobs(tx, blobKeys, { owner });
  return deleted;
}

/** Returns the data of a recording's or voicemail's event, without the content; undefined for other data. */
function redactedAudioData(data: EventData, redactedAt: Date | null): EventData | undefined {
  if (data['object'] === 'recording') return { ...data, redacted_at: redactedAt };
  if (data['object'] === 'voicemail') return { ...data, transcript: null, redacted_at: redactedAt };
  return undefined;
}
