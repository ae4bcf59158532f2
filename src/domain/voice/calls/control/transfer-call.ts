import type { ConnectionId } from '../../../../carriers/ports/carrier.ts';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../db/database.ts';
import { ApiError } from '../../../../lib/errors/errors.ts';
import { fieldError, refuseFields } from '../../../../lib/errors/field-errors.ts';
import { isSipPhone, isWebClient } from '../../../../lib/phone/agent-address.ts';
import { isDialable } from '../../../../lib/phone/phone.ts';
import type { Scope } from '../../../../lib/scope.ts';
import { requireBalance } from '../../../billing/index.ts';
import { checkDestination, findRouting, readDestinationRules, voicemailOf } from '../../../numbers/index.ts';
import { findTransferrer } from '../machine/consult.ts';
import { noTelephone, requireWebClient } from '../place/place-call.ts';
import type { LockedCall } from '../queries.ts';
import type { Call } from '../schema.ts';
import type { Call as CallState } from '../state/call.ts';
import type { WantedTransfer } from '../state/call-transfer.ts';
import { controlCall, getCall } from './control-call.ts';
import { RING_SECONDS, type StartTransfer } from './talk-schema.ts';

/** The party of a transfer to the number's voicemail. */
const VOICEMAIL = 'voicemail';

/** Checks that the new agent can be dialled, and that a consultation with it is possible. Error: invalid_connect_to. */
export function checkNewAgent({ to, mode }: StartTransfer): void {
  if ((to === VOICEMAIL && mode !== 'consult') || isDialable(to) || isWebClient(to) || isSipPhone(to)) return;
  const message =
    to === VOICEMAIL
      ? 'The voicemail cannot be consulted: transfer without "consult".'
      : '"to" is neither a number in E.164 form, nor the id of a web client, nor a telephone such as "sip_phone:front".';
  refuseFields([fieldError('to', 'invalid_connect_to', message)]);
}

type TransferContext = Pick<Context, 'carriers'> & {
  readonly requireSpeech: () => void;
  /** Throws if the requester may not transfer the call. It gets the call before the transfer. */
  readonly requireOwn?: (call: LockedCall) => void;
};

/**
 * Starts the transfer of a call to a party that `checkNewAgent` has checked.
 * Errors in order: call_not_found, tenant_restricted_key, web_client_not_found, invalid_connect_to (the number of the
 * call), destination_not_supported, insufficient_balance, then call_not_active, transfer_in_progress,
 * invalid_connect_to (a party of the call, or no telephone of the tenant), carrier_unavailable, no_consult_in_progress
 * (the carrier cannot connect the two), speech_unavailable.
 * @returns the call after the start
 */
export async function transferCall(
  { carriers, requireSpeech, requireOwn }: TransferContext,
  tx: Tx,
  scope: Scope,
  { callId, wanted }: { readonly callId: string; readonly wanted: StartTransfer },
): Promise<Call> {
  const { to, mode, announce_text, ring_seconds = RING_SECONDS.default, on_no_answer = 'return' } = wanted;
  const call = await getCall(tx, scope, callId);
  if (to !== VOICEMAIL) await checkParty(tx, scope, call, to);
  const routing = await findRouting(tx, scope, call.phone_number_id);
  const voicemail = voicemailOf(routing?.config ?? null);
  const transfer: WantedTransfer = {
    to,
    announcement: announce_text ?? null,
    ringMs: ring_seconds * 1000,
    onNoAnswer: on_no_answer,
    voicemail,
    ...(mode === 'consult' && { consults: true }),
  };
  const locked = await controlCall(tx, scope, callId, {
    type: 'transfer',
    transfer: to === VOICEMAIL ? null : transfer,
    voicemail,
    audioRef: routing?.holdAudioRef ?? null,
  });
  requireOwn?.(locked);
  const { after, connection_id: connectionId } = locked;
  const telephone = isSipPhone(to) ? { tenantId: call.tenant_id, address: to } : undefined;
  if (telephone !== undefined && !carriers.hasTelephone(scope, telephone, connectionId)) throw noTelephone('to');
  if (mode === 'consult') requireCommonAudio({ carriers }, scope, { after, connectionId });
  requireSpeech();
  return await getCall(tx, scope, callId);
}

type Consulting = { readonly after: CallState; readonly connectionId: ConnectionId };

/**
 * Checks that the agent and the new agent can be connected. A web client talks to a telephone at the gateway. Error:
 * no_consult_in_progress.
 */
function requireCommonAudio(
  { carriers }: Pick<Context, 'carriers'>,
  scope: Scope,
  { after, connectionId }: Consulting,
): void {
  const isMixed = isWebClient(findTransferrer(after)?.address ?? '') !== isWebClient(after.transfer?.to ?? '');
  if (!isMixed || carriers.declares('agent_audio', scope, connectionId)) return;
  const message = 'The carrier of this call cannot connect a web client with the telephone of an agent.';
  throw new ApiError('no_consult_in_progress', { message });
}

/** Checks a new agent like the agent of a new call. */
async function checkParty(tx: Tx, scope: Scope, call: Call, to: string): Promise<void> {
  const ownNumber = call.direction === 'outbound' ? call.from : call.to;
  if (to === ownNumber) {
    const message = 'The new agent cannot be at the number of the call.';
    throw new ApiError('invalid_connect_to', { param: 'to', message });
  }
  if (isWebClient(to)) await requireWebClient(tx, scope, { id: to, tenantId: call.tenant_id, param: 'to' });
  else if (!isSipPhone(to)) checkDestination(to, await readDestinationRules(tx, scope), 'to');
  await requireBalance(tx, scope, 'traffic');
}
