import type { Context, Settings } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger, Scope } from '../../../lib/scope.ts';
import { checkSocketUrl } from '../../../outbound/address-guard.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import { rememberTrace } from '../../events/index.ts';
import { controlCall } from '../calls/control/control-call.ts';
import { chooseNode } from './node-queries.ts';
import { insertStream } from './queries.ts';
import {
  CLIENT_WITHIN_MS,
  deadlineJobId,
  hashStreamToken,
  newStreamToken,
  STREAM_DEADLINE,
  type StreamDeadline,
  streamUrl,
} from './rules.ts';
import type { StartedStream, StartStream } from './schema.ts';
import { signalStreamDial } from './stream-signal.ts';

/** `Retry-After` if no gateway is up. A gateway starts within seconds, unless its operator must act. */
const NO_GATEWAY_RETRY_S = 5;

/** Checks that a gateway may connect to the address of a stream for this ledger. Error: invalid_url. */
export function checkStream(
  settings: Pick<Settings, 'allowLocalWebhooks'>,
  { mode }: Pick<Ledger, 'mode'>,
  { connect_url: url }: Pick<StartStream, 'connect_url'>,
): void {
  if (url === undefined) return;
  const check = checkSocketUrl(url, { allowLocalWs: mode === 'test' && settings.allowLocalWebhooks });
  if (!check.ok) throw new ApiError('invalid_url', { param: 'connect_url', message: check.message });
}

/**
 * Opens a stream on a call that rings or is in progress, on the gateway with the call's audio, or else on the gateway
 * with the fewest streams. Its client must connect within 30 s; with `connect_url` the gateway must. Errors in order:
 * call_not_found, tenant_restricted_key, call_not_active, stream_already_active, carrier_unavailable (no gateway that
 * is up and not draining can take the call).
 */
export async function startStream(
  { settings }: Pick<Context, 'settings'>,
  tx: Tx,
  scope: Scope,
  wanted: StartStream & { callId: string },
): Promise<StartedStream> {
  const { callId, direction = 'fork', dialect = 'native', connect_url: connectUrl = null, parameters = {} } = wanted;
  // A bidirectional stream of Twilio has only the customer's track, and programs for Twilio do not check the track.
  const { track = dialect === 'twilio' && direction === 'bidirectional' ? 'inbound' : 'both' } = wanted;
  const id = newId('media_stream');
  const nodeId = await chooseNode(tx, scope, { callId });
  const input = { type: 'start_stream', stream: { id, direction, track } } as const;
  const locked = await controlCall(tx, scope, callId, input);
  if (nodeId === undefined) {
    const message = 'No media gateway is up to take the stream.';
    throw new ApiError('carrier_unavailable', { message, retryAfterS: NO_GATEWAY_RETRY_S });
  }
  const token = newStreamToken();
  const stream = await insertStream(tx, scope, {
    id,
    call_id: callId,
    tenant_id: locked.tenant_id,
    direction,
    track,
    url: streamUrl(settings.mediaUrl, nodeId, id),
    nodeId,
    tokenHash: hashStreamToken(token),
    createdAt: locked.now,
    connect_url: connectUrl,
    dialect,
    parameters,
  });
  const payload: StreamDeadline = { callId, streamId: id };
  const job = { id: deadlineJobId(id), kind: STREAM_DEADLINE, queue: 'voice', payload } as const;
  await enqueue(tx, [{ ...job, ledgerId: scope.ledgerId, delayMs: CLIENT_WITHIN_MS }]);
  // The stream's events come later from the gateway. They belong to the trace of this request.
  await rememberTrace(tx, scope.ledgerId, id);
  if (connectUrl === null) return { ...stream, token };
  signalStreamDial(tx, { streamId: id, nodeId });
  return { ...stream, token: '' };
}
