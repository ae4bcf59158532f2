/**
 * The kind of party that answers an outbound call: a person, a machine or a fax. The carrier reports it while the
 * parties are already connected. The API chooses the next step: nothing, the end of the call, or a message after the
 * greeting.
 */
import type { AnswerKind } from '../../../../carriers/ports/voice.ts';
import type { Leg } from '../state/call.ts';
import type { Detection } from '../state/detection.ts';
import { dismissApplication } from './application.ts';
import { closeGather } from './digits.ts';
import { dropTransfer, endingOf, finish } from './ending.ts';
import { endHold } from './hold.ts';
import { stopSpeeches } from './speeches.ts';
import { closeStream } from './streaming.ts';
import {
  change,
  clearTimer,
  command,
  emit,
  findAnsweredLeg,
  hangUp,
  isAnnouncing,
  liveLegs,
  log,
  setTimer,
  speak,
  speechMsMax,
  type Transition,
} from './transition.ts';

/** How long a message waits for the end of the greeting. */
const GREETING_MS_MAX = 120_000;
/** The audio of a message plays for at most five minutes, and its end is reported soon after. */
const AUDIO_MS_MAX = 315_000;

/** Handles the report of the kind of party that has answered. Only the first report about the customer's leg counts. */
export function handleClassified(transition: Transition, leg: Leg, kind: AnswerKind): void {
  const { detection, stage } = transition.call;
  if (detection === undefined || detection.kind !== null || leg.party !== 'customer' || stage.name === 'ended') return;
  change(transition, { detection: { ...detection, kind } });
  log(transition, 'answer_classified', { kind });
  if (kind === 'machine' || kind === 'fax') emit(transition, 'call.machine_detected', { answered_by_kind: kind });
  actOnKind(transition);
}

/** Does what the API chose for a machine or a fax, once the parties are connected. */
export function actOnKind(transition: Transition): void {
  const { detection, stage } = transition.call;
  if (stage.name !== 'talking' || (detection?.kind !== 'machine' && detection?.kind !== 'fax')) return;
  if (detection.onMachine === 'continue') return;
  if (detection.onMachine === 'leave_message' && detection.kind === 'machine') awaitGreeting(transition, detection);
  else finish(transition, { ...endingOf(transition), detail: { reason: 'machine_detected' } });
}

/** Takes the call from the agent or the application. The message follows the greeting. */
function awaitGreeting(transition: Transition, { greetingEnded }: Detection): void {
  const { stream } = transition.call;
  dropTransfer(transition, 'canceled');
  if (transition.call.gather !== null) closeGather(transition, 'timeout');
  if (stream?.direction === 'bidirectional') closeStream(transition, stream.id, { reason: 'api_request' });
  stopSpeeches(transition);
  dismissApplication(transition);
  endHold(transition);
  for (const agent of liveLegs(transition.call, 'agent')) hangUp(transition, agent, 'ended');
  change(transition, { stage: { name: 'leaving_message', speechRef: null } });
  setTimer(transition, 'machine', GREETING_MS_MAX);
  if (greetingEnded) leaveMessage(transition);
}

/** Handles the end of a machine's greeting. A repeated report changes nothing. */
export function handleGreetingEnd(transition: Transition, leg: Leg, beep: boolean): void {
  if (leg.party !== 'customer' || transition.call.stage.name === 'ended') return;
  // Only a machine has a greeting. The carrier may report the machine later.
  handleClassified(transition, leg, 'machine');
  const { detection } = transition.call;
  if (detection?.kind !== 'machine' || detection.greetingEnded || transition.call.endedAtMs !== null) return;
  change(transition, { detection: { ...detection, greetingEnded: true } });
  log(transition, 'greeting_ended', { beep });
  emit(transition, 'call.greeting_ended', { beep });
  if (transition.call.stage.name === 'leaving_message') leaveMessage(transition);
}

function leaveMessage(transition: Transition): void {
  const { detection } = transition.call;
  const customer = findAnsweredLeg(transition.call, 'customer');
  if (detection?.message == null || customer === undefined) return;
  breakOffAnnouncement(transition);
  const { message } = detection;
  const said = 'text' in message ? { text: message.text } : { text: '', audioRef: message.audioRef };
  const speechRef = speak(transition, { legRefs: [customer.id], ...said, purpose: 'announcement' });
  change(transition, { stage: { name: 'leaving_message', speechRef } });
  setTimer(transition, 'machine', 'text' in message ? speechMsMax(message.text) : AUDIO_MS_MAX);
}

/**
 * Stops an announcement that is still being spoken. The machine records from the beep on, so the announcement would be
 * in the message.
 */
function breakOffAnnouncement(transition: Transition): void {
  const { recording, listening } = transition.call;
  if (!isAnnouncing(transition.call)) return;
  const speechRef = recording.name === 'announcing' ? recording.speechRef : listening?.speechRef;
  if (speechRef != null) command(transition, { do: 'stop_speech', speechRef });
}

/** Handles the end of the message to a machine: the call is over. Another speech changes nothing. */
export function endMessageToMachine(transition: Transition, speechRef: string, completed: boolean): void {
  const { stage } = transition.call;
  if (stage.name !== 'leaving_message' || stage.speechRef !== speechRef) return;
  clearTimer(transition, 'machine');
  log(transition, 'message_left', { completed });
  finish(transition, { ...endingOf(transition), detail: { reason: completed ? 'message_left' : 'message_failed' } });
}

/** Handles a greeting that does not end, and a message whose end was not reported. */
export function handleMachineTimer(transition: Transition): void {
  const { stage } = transition.call;
  if (stage.name !== 'leaving_message') return;
  if (stage.speechRef !== null) endMessageToMachine(transition, stage.speechRef, false);
  else finish(transition, { ...endingOf(transition), detail: { reason: 'machine_time' } });
}
