import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { isByHand, type SimulatedCall } from './call.ts';
import type { CallParts } from './call-parts.ts';
import { mintHandsetToken } from './handsets.ts';
import { lockCall } from './queries.ts';

/** The address and token of a handset's audio, as the API shows them. */
export type HandsetAudio = {
  readonly object: 'test_call_audio';
  readonly call_id: string;
  readonly url: string;
  readonly token: string;
  readonly expires_at: Date;
};

type HandsetParts = Pick<Context, 'cipher' | 'clock' | 'settings'> & Pick<CallParts, 'domain'>;

/** A gateway starts within seconds, unless its operator must act. */
const NO_GATEWAY_RETRY_S = 5;

/**
 * Opens the audio of a person that a test plays, at the gateway with the audio of the call. The token of an earlier
 * request becomes invalid. Errors in order: call_not_found, tenant_restricted_key, call_not_active,
 * carrier_unavailable.
 */
export async function openHandset(
  { domain, settings, ...tokens }: HandsetParts,
  tx: Tx,
  scope: Scope,
  { callId, number }: { readonly callId: string; readonly number: string },
): Promise<HandsetAudio> {
  visible(scope, await domain.findCall(tx, scope, callId), 'call_not_found');
  const { ledgerId } = scope;
  const legRef = legOf((await lockCall(tx, { ledgerId, callRef: callId }))?.call, number);
  const nodeId = await domain.chooseNode(tx, scope, { callId });
  if (nodeId === undefined) {
    const message = 'No media gateway is up to take the audio.';
    throw new ApiError('carrier_unavailable', { message, retryAfterS: NO_GATEWAY_RETRY_S });
  }
  const { token, expiresAt } = await mintHandsetToken(tokens, tx, { ledgerId, legRef });
  const url = `${settings.mediaUrl}/v1/softphone/audio/${nodeId}`;
  return { object: 'test_call_audio', call_id: callId, url, token, expires_at: expiresAt };
}

function legOf(call: SimulatedCall | undefined, number: string): string {
  const leg = call?.legs.findLast(({ address, state }) => address === number && state !== 'ended');
  if (call === undefined || leg === undefined) throw new ApiError('call_not_active', { param: 'number' });
  if (isByHand(call, leg)) return leg.leg_ref;
  const message = 'This person acts by itself. Take it over before you open its audio.';
  throw new ApiError('call_not_active', { param: 'number', message });
}
