/**
 * The audio of agents' telephones. A carrier joins a telephone with the customer, or with another telephone, without
 * the gateway. The gateway needs the audio of a telephone in three cases: its agent talks to a web client before a
 * transfer; a listener speaks to it; a listener hears it while the customer is on hold. The carrier then sends the
 * audio until the leg ends. No announcement is required before that, because this audio does not contain the customer.
 */
import { isWebClient } from '../../../../lib/phone/agent-address.ts';
import type { Call, Leg } from '../state/call.ts';
import { isConsulting } from './consult.ts';
import { change, command, findLeg, type Transition } from './transition.ts';

/** Requests the audio of every telephone of an agent that the gateway needs, and that it has not requested. */
export function requestAgentAudio(transition: Transition): void {
  for (const { id: legRef, isStreamed } of neededTelephones(transition.call)) {
    if (isStreamed === true) continue;
    setStreamed(transition, legRef, true);
    command(transition, {
      ...{ do: 'start_stream', streamRef: legRef, legRef },
      ...{ direction: 'bidirectional', track: 'inbound' },
    });
  }
}

/** Handles the loss of a telephone's audio. It is requested again after the step if it is still needed. */
export function loseAgentAudio(transition: Transition, legId: string): void {
  if (findLeg(transition.call, legId)?.isStreamed === true) setStreamed(transition, legId, false);
}

function setStreamed(transition: Transition, legId: string, isStreamed: boolean): void {
  change(transition, {
    legs: transition.call.legs.map((leg) => (leg.id === legId ? { ...leg, isStreamed } : leg)),
  });
}

function neededTelephones(call: Call): Leg[] {
  if (call.stage.name !== 'talking') return [];
  const agents = call.legs.filter(({ party, state }) => party === 'agent' && state === 'up');
  const listeners = call.listeners?.filter(({ isActive }) => isActive) ?? [];
  const isNeeded = isConsulting(call)
    ? listeners.length > 0 || agents.some(({ address }) => isWebClient(address))
    : listeners.some(({ speaksTo }) => speaksTo !== 'none');
  return isNeeded ? agents.filter(({ address }) => !isWebClient(address)) : [];
}
