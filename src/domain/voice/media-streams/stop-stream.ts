import type { Db, Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { controlCall, getCall } from '../calls/control/control-call.ts';
import { findStream, listStreams } from './queries.ts';
import type { MediaStream } from './schema.ts';

/** Returns the streams of a call that the key may see, newest first. Errors: call_not_found, tenant_restricted_key. */
export async function listCallStreams(db: Db, scope: Scope, callId: string): Promise<MediaStream[]> {
  await getCall(db, scope, callId);
  return listStreams(db, scope, callId);
}

/**
 * Ends a stream and meters its usage. If the stream is already over, nothing changes. Errors: call_not_found,
 * tenant_restricted_key, stream_not_found.
 */
export async function stopStream(
  tx: Tx,
  scope: Scope,
  { callId, streamId }: { callId: string; streamId: string },
): Promise<MediaStream> {
  await controlCall(tx, scope, callId, { type: 'stream_over', streamId, reason: 'api_request' });
  const stream = visible(scope, await findStream(tx, scope, streamId), 'stream_not_found');
  if (stream.call_id !== callId) throw new ApiError('stream_not_found');
  return stream;
}
