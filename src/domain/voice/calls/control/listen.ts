/** Adds and ends the web clients that listen to a call in progress, for the API. */

import type { ConnectionId } from '../../../../carriers/ports/carrier.ts';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../db/database.ts';
import { ApiError } from '../../../../lib/errors/errors.ts';
import { newId } from '../../../../lib/ids.ts';
import { isWebClient } from '../../../../lib/phone/agent-address.ts';
import { type Scope, visible } from '../../../../lib/scope.ts';
import { recordActions } from '../../../audit/index.ts';
import { planCheck } from '../../web-clients/change-leg.ts';
import { findOwnerOfLeg, hasOtherLeg, saveLeg } from '../../web-clients/leg-queries.ts';
import { lockWebClient } from '../../web-clients/session-queries.ts';
import { wakeWebClient } from '../../web-clients/web-client-signal.ts';
import { requireWebClient } from '../place/place-call.ts';
import type { Call as CallState } from '../state/call.ts';
import type { ListenerHearers } from '../state/call-listener.ts';
import { controlCall, getCall } from './control-call.ts';
import type { CallListener, StartListening } from './listen-schema.ts';

/** A web client that is not logged in must log in within this time. */
const LOG_IN_MS = 60_000;

type ListenContext = Pick<Context, 'carriers'>;

/**
 * Lets a web client listen to a call, after the required announcement to the customer. Errors in order: call_not_found,
 * tenant_restricted_key, web_client_not_found, call_not_active, listener_not_possible.
 */
export async function addListener(
  { carriers }: ListenContext,
  tx: Tx,
  scope: Scope,
  { callId, wanted }: { readonly callId: string; readonly wanted: StartListening },
): Promise<CallListener> {
  const { web_client_id: webClientId, speaks_to: speaksTo } = wanted;
  const { tenant_id } = await getCall(tx, scope, callId);
  await requireWebClient(tx, scope, { id: webClientId, tenantId: tenant_id, param: 'web_client_id' });
  const id = newId('listener');
  const input = { type: 'add_listener', listener: { id, webClientId, speaksTo } } as const;
  const { after, connection_id: connectionId, now } = await controlCall(tx, scope, callId, input);
  requireAudio({ carriers }, scope, { after, connectionId, speaksTo });
  await requireFree(tx, scope, webClientId);
  // The call counts as a call of the web client: the web client gets its audio, may hang up, and is busy.
  const leg = { callId, legId: id, webClientId, wasRung: false, state: 'up', endReason: null } as const;
  await saveLeg(tx, scope, leg);
  await planCheck(tx, scope, leg, { inMs: LOG_IN_MS, misses: 0 });
  wakeWebClient(tx, { ledgerId: scope.ledgerId, webClientId });
  const details = { tenant_id, call_id: callId, web_client_id: webClientId, speaks_to: speaksTo };
  await recordActions(tx, scope, [{ action: 'call_listener.created', resourceId: id, tenantId: tenant_id, details }]);
  const { call_id, web_client_id, speaks_to } = details;
  return { id, object: 'call_listener', call_id, web_client_id, speaks_to, created_at: now };
}

type Hearing = {
  readonly after: CallState;
  readonly connectionId: ConnectionId;
  readonly speaksTo: ListenerHearers;
};

/**
 * Checks that the gateway gets the audio of the call, and that the agent can receive the listener's audio. Error:
 * listener_not_possible.
 */
function requireAudio({ carriers }: ListenContext, scope: Scope, { after, connectionId, speaksTo }: Hearing): void {
  if (carriers.declares('agent_audio', scope, connectionId)) return;
  if (carriers.voice(scope, connectionId).audio === undefined) {
    throw notPossible('The carrier of this call does not send its audio.');
  }
  const hasTelephone = after.legs.some(
    ({ party, state, address }) => party === 'agent' && state === 'up' && !isWebClient(address),
  );
  if (speaksTo !== 'none' && hasTelephone) {
    throw notPossible('The carrier of this call cannot play audio to the telephone of an agent.');
  }
}

/** Checks that the web client is on no call. Its session is locked first, so that no call rings it concurrently. */
async function requireFree(tx: Tx, { ledgerId }: Scope, webClientId: string): Promise<void> {
  await lockWebClient(tx, { ledgerId, webClientId });
  if (await hasOtherLeg(tx, { ledgerId }, { webClientId, legId: null })) {
    throw notPossible('The web client is on a call, or is rung by one.');
  }
}

function notPossible(message: string): ApiError {
  return new ApiError('listener_not_possible', { param: 'web_client_id', message });
}

/** Ends a listener. Errors in order: call_not_found, tenant_restricted_key, listener_not_found. */
export async function removeListener(
  tx: Tx,
  scope: Scope,
  { callId, id }: { readonly callId: string; readonly id: string },
): Promise<void> {
  await getCall(tx, scope, callId);
  visible(scope, await findOwnerOfLeg(tx, scope, id), 'listener_not_found');
  const { tenant_id } = await controlCall(tx, scope, callId, { type: 'remove_listener', listenerId: id });
  const details = { tenant_id, call_id: callId };
  await recordActions(tx, scope, [{ action: 'call_listener.deleted', resourceId: id, tenantId: tenant_id, details }]);
}
