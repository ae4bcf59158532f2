/** The joined parties. */
import { isWebClient } from '../../../../lib/phone/agent-address.ts';
import type { Leg } from '../state/call.ts';
import { loseAgentAudio } from './agent-audio.ts';
import { startListening } from './announcements.ts';
import { isConsulting } from './consult.ts';
import { leaveHold } from './hold.ts';
import { requestAudio } from './listeners.ts';
import { answeredLegIds, change, clearTimer, command, emit, findAnsweredLeg, type Transition } from './transition.ts';

/**
 * Joins the two answered legs and emits call.answered. Connected time starts. Listening starts, or its announcement is
 * spoken. If the application is a party, the customer's leg is the only one, because the application has no leg.
 */
export function join(transition: Transition, answeredBy: string): void {
  const agent = findAnsweredLeg(transition.call, 'agent');
  const customer = findAnsweredLeg(transition.call, 'customer') as Leg;
  clearTimer(transition, 'ring');
  change(transition, {
    status: 'in_progress',
    answeredBy,
    stage: { name: 'talking' },
    connectedAtMs: transition.call.connectedAtMs ?? transition.nowMs,
  });
  leaveHold(transition, agent);
  if (agent !== undefined) command(transition, { do: 'bridge', legRefs: [agent.id, customer.id] });
  emit(transition, 'call.answered', null);
  startListening(transition);
}

/**
 * Requests the audio of a call again, if the call is transcribed or a web client is on it. The audio of an agent's
 * telephone (`legId`) is requested after the step.
 */
export function resumeAudio(transition: Transition, legId?: string): void {
  if (legId !== undefined) {
    loseAgentAudio(transition, legId);
    return;
  }
  const { transcription, stage, bridged } = transition.call;
  // After a consultation, the audio of both parties is requested.
  if (stage.name === 'ended' || isConsulting(transition.call)) return;
  const legRefs = answeredLegIds(transition);
  const [agent, customer] = [findAnsweredLeg(transition.call, 'agent'), findAnsweredLeg(transition.call, 'customer')];
  if (bridged && agent && customer && isWebClient(agent.address)) {
    command(transition, { do: 'bridge', legRefs: [agent.id, customer.id] });
  } else if (transcription === 'on') command(transition, { do: 'start_transcription', legRefs });
  else requestAudio(transition);
}
