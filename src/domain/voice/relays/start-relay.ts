import type { Settings } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger, Scope } from '../../../lib/scope.ts';
import type { Speech } from '../../../speech/port.ts';
import { rememberTrace } from '../../events/index.ts';
import { isOptedOutOfCalls, OPTED_OUT } from '../../messaging/index.ts';
import { fillRelay, type WantedRelaySettings, wrongRelayUrl } from '../../numbers/index.ts';
import { controlCall, getCall } from '../calls/control/control-call.ts';
import { customerOf } from '../calls/customer.ts';
import { chooseNode } from '../media-streams/node-queries.ts';
import { findRelay } from './queries.ts';
import type { Relay } from './schema.ts';

const RETRY_S = 5;

/** Checks that a gateway may connect to the address of an agent for this ledger. Error: invalid_url. */
export function checkRelay(
  { allowLocalWebhooks }: Pick<Settings, 'allowLocalWebhooks'>,
  { mode }: Pick<Ledger, 'mode'>,
  { url, param = 'url' }: { readonly url: string; readonly param?: string },
): void {
  const message = wrongRelayUrl(url, { allowLocalWs: mode === 'test' && allowLocalWebhooks });
  if (message !== undefined) throw new ApiError('invalid_url', { param, message });
}

/** Requires a speech recogniser. Error: speech_unavailable. */
export function requireRecognition(speech: Pick<Speech, 'toText'>, ledger: Ledger): void {
  if (speech.toText(ledger) !== undefined) return;
  const message = 'Nothing recognises what customers say on live calls: the operator sets SPEECH_URL.';
  throw new ApiError('speech_unavailable', { message, retryAfterS: RETRY_S });
}

/**
 * Opens a relay on a call whose customer is connected. The agent is connected once the announcements have been spoken.
 * Errors in order: call_not_found, tenant_restricted_key, recipient_opted_out, call_not_active, relay_active,
 * stream_already_active, speech_unavailable, carrier_unavailable (no gateway is up).
 */
export async function startRelay(
  { speech }: { readonly speech: Pick<Speech, 'toText'> },
  tx: Tx,
  scope: Scope,
  { callId, ...wanted }: WantedRelaySettings & { readonly callId: string },
): Promise<Relay> {
  const call = await getCall(tx, scope, callId);
  const externalNumber = call.direction === 'outbound' ? customerOf(call) : null;
  const { tenant_id: tenantId } = call;
  if (externalNumber !== null && (await isOptedOutOfCalls(tx, scope, { tenantId, externalNumber }))) {
    throw new ApiError('recipient_opted_out', { param: 'call_id', message: OPTED_OUT.call });
  }
  const id = newId('call_relay');
  const nodeId = await chooseNode(tx, scope, { callId });
  const settings = fillRelay(wanted);
  await controlCall(tx, scope, callId, { type: 'start_relay', relay: { relayId: id, settings } });
  requireRecognition(speech, scope);
  if (nodeId === undefined) {
    const message = 'No media gateway is up to take the relay.';
    throw new ApiError('carrier_unavailable', { message, retryAfterS: RETRY_S });
  }
  // The relay's events come later from the gateway. They belong to the trace of this request.
  await rememberTrace(tx, scope.ledgerId, id);
  return (await findRelay(tx, scope, id)) as Relay;
}
