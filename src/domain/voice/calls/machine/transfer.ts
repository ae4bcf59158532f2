/**
 * A transfer: the customer hears hold audio while another agent is rung, and is then connected with that agent. The
 * previous agent may stay on the line until the other one answers, or hang up.
 */
import type { LegEndCause, LegRefusal } from '../../../../carriers/ports/voice.ts';
import type { VoicemailBehavior } from '../../../numbers/index.ts';
import type { Leg } from '../state/call.ts';
import type { CallInput } from '../state/call-step.ts';
import type { TransferFailure } from '../state/call-transfer.ts';
import { dismissApplication } from './application.ts';
import { beginConsult, endConsult, findTransferrer, isConsulting, leaveConsult } from './consult.ts';
import { dropTransfer, finish } from './ending.ts';
import { leaveHold, playHold, stopHold } from './hold.ts';
import { endListeners } from './listeners.ts';
import { stopRecording } from './recording.ts';
import { stopSpeeches } from './speeches.ts';
import { closeStream } from './streaming.ts';
import {
  change,
  clearTimer,
  command,
  dial,
  emit,
  findAnsweredLeg,
  findLeg,
  hangUp,
  liveLegs,
  log,
  nameOfAnswerer,
  setLegState,
  setTimer,
  speak,
  speechMsMax,
  type Transition,
} from './transition.ts';
import { greetCustomer } from './voicemail.ts';

/** The end of a relay whose customer is transferred. */
const TRANSFERRED = { reason: 'transferred', handoffData: null } as const;

/** Starts a transfer, to a party that is rung or to the voicemail. The machine has checked that none is under way. */
export function beginTransfer(
  transition: Transition,
  { transfer: wanted, voicemail, audioRef }: Extract<CallInput, { type: 'transfer' }>,
): void {
  const to = wanted?.to ?? 'voicemail';
  log(transition, 'transfer_started', { to, mode: wanted?.consults === true ? 'consult' : 'announce' });
  emit(transition, 'call.transfer.started', { to, reason: null });
  if (wanted === null) {
    reportCompleted(transition, to);
    passToVoicemail(transition, voicemail);
    return;
  }
  playHold(transition, audioRef);
  const ringMs = Math.min(wanted.ringMs, transition.call.limits.ringMsMax);
  const { number: shownAs } = transition.call;
  dial(transition, { party: 'agent', to, shownAs, ringMs });
  const legId = transition.call.legs.at(-1)?.id as string;
  change(transition, { transfer: { ...wanted, ringMs, legId, speechRef: null, audioRef }, failedTransfer: undefined });
  setTimer(transition, 'transfer', ringMs);
}

function reportCompleted(transition: Transition, to: string): void {
  log(transition, 'transfer_completed', { to });
  emit(transition, 'call.transfer.completed', { to, reason: null });
}

/**
 * Handles the new agent's answer: the announcement is spoken to it. The previous agent is hung up, unless it talks to
 * the new one first.
 */
export function handleNewAgent(transition: Transition, leg: Leg): void {
  const { transfer } = transition.call;
  if (transfer === undefined) return;
  if (transfer.consults !== true) hangUpAgents(transition, leg.id);
  setLegState(transition, leg.id, 'up');
  log(transition, 'answered', { party: 'agent', answered_by: nameOfAnswerer(leg.address) });
  const { announcement: text } = transfer;
  if (text === null) {
    introduce(transition);
    return;
  }
  const speechRef = speak(transition, { legRefs: [leg.id], text, purpose: 'announcement' });
  change(transition, { transfer: { ...transfer, speechRef } });
  setTimer(transition, 'transfer', speechMsMax(text));
}

/** Joins the new agent, after the announcement, with the previous agent or with the customer. */
export function introduce(transition: Transition): void {
  const agent = findTransferrer(transition.call);
  if (transition.call.transfer?.consults === true && agent !== undefined) beginConsult(transition, agent);
  else completeTransfer(transition);
}

/** Joins the customer with the new agent. */
function completeTransfer(transition: Transition): void {
  const { transfer, application, stream, transcription } = transition.call;
  const customer = findAnsweredLeg(transition.call, 'customer');
  if (transfer === undefined || customer === undefined) return;
  const { to, legId } = transfer;
  change(transition, { transfer: undefined });
  clearTimer(transition, 'transfer');
  endConsult(transition);
  // Otherwise the customer would hear only the application's audio.
  if (application !== undefined && stream?.direction === 'bidirectional') {
    closeStream(transition, stream.id, { reason: 'api_request', relay: TRANSFERRED });
  }
  if (application !== undefined) stopSpeeches(transition);
  dismissApplication(transition);
  leaveHold(
    transition,
    transition.call.legs.find(({ id }) => id === legId),
  );
  command(transition, { do: 'bridge', legRefs: [legId, customer.id] });
  if (transcription === 'on') command(transition, { do: 'start_transcription', legRefs: [legId] });
  reportCompleted(transition, to);
}

/** Handles the transfer timer: no agent has answered in time, or the end of the announcement was not reported. */
export function handleTransferTimer(transition: Transition): void {
  const { transfer } = transition.call;
  if (transfer === undefined) return;
  if (transfer.speechRef !== null) introduce(transition);
  else failTransfer(transition, 'no_answer');
}

type AgentEnd = { readonly cause: LegEndCause; readonly refusal: LegRefusal | undefined };

/**
 * Handles the end of an agent's leg during a transfer. The end of the new agent's leg fails the transfer. The previous
 * agent may leave; if it leaves a consultation, that completes the transfer.
 * @returns false if the end has the same effect as without a transfer
 */
export function handleAgentEnd(transition: Transition, leg: Leg, { cause, refusal }: AgentEnd): boolean {
  const { transfer } = transition.call;
  if (transfer === undefined || leg.party !== 'agent') return false;
  if (leg.id === transfer.legId) failTransfer(transition, failureOf(cause), refusal);
  else {
    log(transition, 'hangup', { party: 'agent', cause });
    if (isConsulting(transition.call)) completeTransfer(transition);
  }
  return true;
}

function failureOf(cause: LegEndCause): TransferFailure {
  switch (cause) {
    case 'busy':
    case 'rejected':
    case 'no_answer':
      return cause;
    case 'hangup':
      return 'rejected';
    default:
      return 'failed';
  }
}

/** Ends a transfer that has failed, and does what the API chose for a failure. */
function failTransfer(transition: Transition, reason: TransferFailure, refusal?: LegRefusal): void {
  const { transfer } = transition.call;
  if (transfer === undefined) return;
  dropTransfer(transition, reason, refusal);
  // The API's choice does not apply during a consultation: the customer returns to the agent.
  if (transfer.isConsulting === true) {
    leaveConsult(transition, transfer.audioRef ?? null);
    return;
  }
  const { onNoAnswer, voicemail } = transfer;
  const hasParty = transition.call.application !== undefined || findAnsweredLeg(transition.call, 'agent') !== undefined;
  if (onNoAnswer === 'voicemail') passToVoicemail(transition, voicemail);
  else if (onNoAnswer === 'return' && hasParty) stopHold(transition);
  else finish(transition, { status: 'completed', outcome: 'answered', detail: { reason: 'transfer_failed' } });
}

/**
 * Completes a consultation: the agent leaves. While the new agent rings or hears the announcement, the transfer
 * continues as a transfer with an announcement.
 */
export function completeConsult(transition: Transition): void {
  const { transfer } = transition.call;
  if (transfer === undefined) return;
  hangUpAgents(transition, transfer.legId);
  if (isConsulting(transition.call)) completeTransfer(transition);
  else change(transition, { transfer: { ...transfer, consults: false } });
}

/** Cancels a consultation: the new agent is hung up, and the customer is back with the agent. */
export function cancelConsult(transition: Transition): void {
  const { transfer } = transition.call;
  if (transfer === undefined) return;
  dropTransfer(transition, 'canceled');
  if (transfer.isConsulting === true) leaveConsult(transition, transfer.audioRef ?? null);
  else stopHold(transition);
}

/**
 * Handles a failed bridge between two agents: the consultation fails. If the consultation is already over, the failed
 * bridge changes nothing.
 * @returns false if the bridge was to connect the customer
 */
export function handleFailedConsult(transition: Transition, legRefs: readonly string[]): boolean {
  const parties = legRefs.map((legId) => findLeg(transition.call, legId)?.party);
  if (parties.includes('customer')) return false;
  const isCurrent = isConsulting(transition.call) && legRefs.includes(transition.call.transfer?.legId as string);
  if (isCurrent) failTransfer(transition, 'failed');
  return true;
}

/** Lets the voicemail take the call from the agent or the application. */
function passToVoicemail(transition: Transition, voicemail: VoicemailBehavior): void {
  const { stream } = transition.call;
  if (stream?.direction === 'bidirectional') {
    closeStream(transition, stream.id, { reason: 'api_request', relay: TRANSFERRED });
  }
  stopSpeeches(transition);
  dismissApplication(transition);
  endListeners(transition, 'voicemail');
  hangUpAgents(transition);
  stopRecording(transition);
  greetCustomer(transition, voicemail);
}

function hangUpAgents(transition: Transition, exceptLegId?: string): void {
  for (const leg of liveLegs(transition.call, 'agent')) {
    if (leg.id !== exceptLegId) hangUp(transition, leg, 'ended');
  }
}
