import type { Db, Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { getCall } from '../calls/control-call.ts';
import { stepCallWith } from '../calls/executor.ts';
import { findStream, listStreams } from './queries.ts';
import type { MediaStream } from './schema.ts';

/** Streams of a call that the key may see, newest first. Errors: call_not_found, tenant_restricted_key. */
export async function listCallStreams(db: Db, scope: Scope, callId: string): Promise<MediaStream[]> {
  await getCall(db, scope, callId);
  return listStreams(db, scope, callId);
}

/**
 * Ends a stream, and settles what it costs; one that is over stays as it is.
 * Errors: call_not_found, tenant_restricted_key, stream_not_found.
 */
export async function stopStream(
  tx: Tx,
  scope: Scope,
  { callId, streamId }: { callId: string; streamId: string },
): Promise<MediaStream> {
  const stepped = await stepCallWith(tx, scope, callId, {
    inputs: [{ type: 'stream_over', streamId, reason: 'api_request' }],
    onHeld: (call) => {
      visible(scope, call, 'call_not_found');
    },
  });
  if (stepped === undefined) throw new ApiError('call_not_found');
  const stream = visible(scope, await findStream(tx, scope, streamId), 'stream_not_found');
  if (stream.call_id !== callId) throw new ApiError('stream_not_found');
  return stream;
}
