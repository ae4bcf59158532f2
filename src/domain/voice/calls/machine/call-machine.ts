/**
 * The life of a call, as a pure function: no clock, no database, no carrier. It starts in machine/outbound.ts or
 * machine/inbound.ts; every later input comes through `step`.
 *
 *   click-to-call   dialing ──agent rings──▶ ringing ──customer answers──▶ in_progress ──▶ completed
 *                      └──────────────┴── either never answers, or hangs up ──▶ failed
 *   from an agent's own leg   the same, without the agent's ringing: the agent's leg is up already
 *   inbound         ringing ──a target or the voicemail answers, then the caller's leg──▶ in_progress ──▶ completed
 *                      └── the caller hangs up, or no one answers ──▶ missed
 *
 * A menu, a queue and the application answer the caller too. A ring that follows them does not end in_progress.
 *
 * Reports may come late, twice and out of order, and legs end at any time. A report that does not fit the stage of the
 * call changes only its leg. A call ends once, and then no leg is left up.
 */
import type { Call, Leg } from '../state/call.ts';
import type { CallInput, CommandFailure, Step } from '../state/call-step.ts';
import { startListening } from './announcements.ts';
import { markActive } from './application.ts';
import { askToConfirm, dropUnconfirmed, ringsWhileAsked, takesCall } from './confirming.ts';
import {
  actOnKind,
  endMessageToMachine,
  handleClassified,
  handleGreetingEnd,
  handleMachineTimer,
} from './detection.ts';
import { awaitDigits, closeGather, handleDigit } from './digits.ts';
import { connectedUntilMs, endingOf, finish, outcomeOfCause } from './ending.ts';
import { handleFailedCommand } from './failures.ts';
import { followStep } from './following.ts';
import { handleStreamEnd, loseSharedHearing } from './hearing.ts';
import {
  assumeCallerAnswer,
  endRinging,
  handleAnnouncementEnd,
  handleCallerAnswer,
  handleIdleApplication,
  handleMenuKey,
  handleMenuTimer,
  handleQueueInput,
  handleQueueTimer,
  handleTargetAnswer,
  handleTargetEnd,
} from './inbound.ts';
import { endListener } from './listeners.ts';
import { awaitKey } from './menu.ts';
import { handlePartyAnswer, handlePartyRinging } from './outbound.ts';
import { announcePosition, endOffer, endPositionSpeech, handleCallbackKey, handleOfferEnd } from './queue.ts';
import { keepRecording } from './recording.ts';
import { handleRequest, refusalOf } from './requests.ts';
import { noteTargetEnd, reachTarget } from './route.ts';
import { endLateSpeech, endQueuedSpeech } from './speeches.ts';
import { connectStream, hasClient } from './streaming.ts';
import { resumeAudio } from './talking.ts';
import { handleAgentEnd, handleNewAgent, handleTransferTimer, introduce } from './transfer.ts';
import {
  change,
  clearTimer,
  findLeg,
  isAnnouncing,
  log,
  restartLateDial,
  setLegState,
  type Transition,
} from './transition.ts';
import { endGreeting, keepMessage } from './voicemail.ts';

/** Applies one input to the call. */
export function step(call: Call, input: CallInput, nowMs: number): Step {
  const refusal = refusalOf(call, input);
  if (refusal !== undefined) return { call, effects: [], refusal };
  const transition: Transition = { call, effects: [], nowMs };
  apply(transition, input);
  followStep(transition, call);
  return { call: transition.call, effects: transition.effects };
}

function apply(transition: Transition, input: CallInput): void {
  const { call } = transition;
  switch (input.type) {
    case 'leg_ringing':
    case 'leg_answered':
    case 'leg_ended':
    case 'classified':
    case 'greeting_ended':
    case 'digit': {
      const leg = findLeg(call, input.legId);
      if (leg !== undefined) handleLegReport(transition, leg, input);
      else if (input.type === 'leg_ended') endListener(transition, input.legId, 'hung_up');
      return;
    }
    case 'bridged':
      if (call.stage.name !== 'talking' || call.bridged) return;
      change(transition, { bridged: true });
      log(transition, 'bridged');
      return;
    case 'speech_ended':
      handleSpeechEnd(transition, input.speechRef, input.completed);
      return;
    case 'recording_ended':
      if (input.recordingRef === call.recordingId) {
        keepRecording(transition, input.durationMs);
        startListening(transition);
      }
      if (input.recordingRef === call.voicemailRecordingId) keepMessage(transition, input.durationMs);
      return;
    case 'command_failed':
      handleFailure(transition, input);
      return;
    case 'stream_connected':
      connectStream(transition, input.streamId);
      if (hasClient(transition.call)) markActive(transition);
      return;
    case 'stream_over':
    case 'stream_unused':
      handleStreamEnd(transition, input);
      return;
    case 'audio_lost':
      if (input.legId === undefined) loseSharedHearing(transition);
      resumeAudio(transition, input.legId);
      return;
    case 'queue_admitted':
    case 'queue_full':
    case 'queue_offer':
      handleQueueInput(transition, input);
      return;
    case 'timer':
      handleTimer(transition, input);
      return;
    default:
      handleRequest(transition, input);
      return;
  }
}

type LegReport = Extract<CallInput, { legId: string }>;

function handleLegReport(transition: Transition, leg: Leg, report: LegReport): void {
  switch (report.type) {
    case 'leg_ringing':
      if (leg.state === 'dialing') handleRinging(transition, leg);
      return;
    case 'leg_answered':
      handleAnswer(transition, leg);
      return;
    case 'leg_ended':
      if (leg.state !== 'ended') handleLegEnd(transition, leg, report);
      return;
    case 'classified':
      handleClassified(transition, leg, report.kind);
      return;
    case 'greeting_ended':
      handleGreetingEnd(transition, leg, report.beep);
      return;
    case 'digit':
      if (leg.state === 'confirming' && takesCall(transition, leg, report.digit)) handleTargetAnswer(transition, leg);
      if (leg.state === 'up' && handleDigit(transition, leg, report) && leg.party === 'customer') {
        if (!handleCallbackKey(transition, report.digit)) handleMenuKey(transition, report.digit);
      }
  }
}

function handleRinging(transition: Transition, leg: Leg): void {
  setLegState(transition, leg.id, 'ringing');
  const { direction, transfer } = transition.call;
  const isTarget = direction === 'inbound' || transfer?.legId === leg.id;
  if (isTarget) {
    reachTarget(transition);
    log(transition, 'target_ringing', { target: leg.address });
  } else handlePartyRinging(transition, leg);
}

/**
 * Handles the answer of a dialled party, or of a caller that the product has answered. A leg that was hung up is
 * `ending` and ignores answers.
 */
function handleAnswer(transition: Transition, leg: Leg): void {
  if (leg.state === 'answering') handleCallerAnswer(transition, leg);
  // Only the product answers the leg of a caller.
  if (leg.direction === 'inbound' || (leg.state !== 'dialing' && leg.state !== 'ringing')) return;
  if (transition.call.transfer?.legId === leg.id) handleNewAgent(transition, leg);
  else if (transition.call.direction === 'inbound') {
    if (!askToConfirm(transition, leg)) handleTargetAnswer(transition, leg);
  } else {
    handlePartyAnswer(transition, leg);
    actOnKind(transition);
  }
}

type LegEnd = Omit<Extract<CallInput, { type: 'leg_ended' }>, 'type' | 'legId'> & { readonly reason?: string };

/** Handles the end of a leg. Most end the call. */
function handleLegEnd(transition: Transition, leg: Leg, { cause, recordedMs, endedAtMs, ...end }: LegEnd): void {
  setLegState(transition, leg.id, 'ended');
  const { stage, direction } = transition.call;
  if (stage.name === 'ended' || leg.state === 'ending') return;
  const why = { ...(end.reason !== undefined && { reason: end.reason }), ...end.refusal };
  if ((stage.name === 'ringing_targets' || stage.name === 'answering') && leg.party === 'agent') {
    noteTargetEnd(transition, cause);
    handleTargetEnd(transition, leg, { reason: cause, ...why });
    return;
  }
  if (stage.name === 'queued' && leg.party === 'agent') {
    noteTargetEnd(transition, cause);
    handleOfferEnd(transition, leg, { reason: cause, ...why });
    return;
  }
  if (handleAgentEnd(transition, leg, { cause, refusal: end.refusal })) return;
  const detail = { party: leg.party, cause, ...why };
  if (direction === 'outbound' && leg.state !== 'up') {
    finish(transition, { status: 'failed', outcome: outcomeOfCause(cause), detail });
    return;
  }
  const atMs = connectedUntilMs(transition, endedAtMs);
  const messageMs = recordedMs?.[transition.call.voicemailRecordingId];
  finish(transition, { ...endingOf({ ...transition, nowMs: atMs }, messageMs), detail, atMs });
}

/** Handles the end of a speech, whatever it was for. */
function handleSpeechEnd(transition: Transition, speechRef: string, completed: boolean): void {
  const { stage, recording, listening, gather, transfer } = transition.call;
  if (stage.name === 'greeting' && stage.speechRef === speechRef) endGreeting(transition);
  const isOfRecording = recording.name === 'announcing' && recording.speechRef === speechRef;
  if (isOfRecording || listening?.speechRef === speechRef) handleAnnouncementEnd(transition, completed);
  if (gather?.speechRef === speechRef) awaitDigits(transition);
  if (transfer?.speechRef === speechRef) introduce(transition);
  endMessageToMachine(transition, speechRef, completed);
  if (stage.name === 'goodbye' && stage.speechRef === speechRef) endGoodbye(transition);
  endPositionSpeech(transition, speechRef);
  awaitKey(transition, speechRef);
  endQueuedSpeech(transition, speechRef, completed);
}

/** Ends a call after its last words. */
function endGoodbye(transition: Transition): void {
  finish(transition, { ...endingOf(transition), detail: { reason: 'callback' } });
}

/** Reasons of a failed dial that the log of the call shows. */
const SHOWN_REASONS: ReadonlySet<CommandFailure> = new Set([
  'destination_refused',
  'carrier_unavailable',
  'carrier_limit',
]);

/** A failed dial or hang-up ends its leg, and a failed speech is over. */
function handleFailure(transition: Transition, failure: Extract<CallInput, { type: 'command_failed' }>): void {
  const { command, reason } = failure;
  handleFailedCommand(transition, failure);
  if (command.do === 'speak') handleSpeechEnd(transition, command.speechRef, false);
  if (command.do !== 'dial' && command.do !== 'hang_up') return;
  const leg = findLeg(transition.call, command.legRef);
  if (leg === undefined || leg.state === 'ended') return;
  handleLegEnd(transition, leg, { cause: 'failed', ...(SHOWN_REASONS.has(reason) && { reason }) });
}

function handleTimer(
  transition: Transition,
  { name, generation, undispatched, position = null }: Extract<CallInput, { type: 'timer' }>,
): void {
  const { call } = transition;
  if (call.timers[name] !== generation) return;
  if ((name === 'ring' || name === 'transfer') && restartLateDial(transition, name, undispatched)) return;
  clearTimer(transition, name);
  const { stage } = call;
  switch (name) {
    case 'ring':
      if (ringsWhileAsked(transition)) return;
      if (stage.name === 'ringing_targets') endRinging(transition, stage.plan);
      else if (stage.name === 'queued') endOffer(transition);
      else finish(transition, { status: 'failed', outcome: 'no_answer', detail: { reason: 'no_answer' } });
      return;
    case 'answer':
      assumeCallerAnswer(transition, undispatched);
      return;
    case 'speech':
      if (stage.name === 'greeting') endGreeting(transition);
      else if (stage.name === 'goodbye') endGoodbye(transition);
      else if (isAnnouncing(call)) handleAnnouncementEnd(transition, false); // Set by an earlier version.
      return;
    case 'announcement':
      handleAnnouncementEnd(transition, false);
      return;
    case 'gather':
      closeGather(transition, 'timeout');
      return;
    case 'application':
      handleIdleApplication(transition);
      return;
    case 'queued_speech':
      endLateSpeech(transition);
      return;
    case 'menu':
      handleMenuTimer(transition);
      return;
    case 'transfer':
      handleTransferTimer(transition);
      return;
    case 'confirm':
      for (const leg of dropUnconfirmed(transition)) handleTargetEnd(transition, leg, { reason: 'not_confirmed' });
      return;
    case 'machine':
      handleMachineTimer(transition);
      return;
    case 'queue_wait':
      handleQueueTimer(transition);
      return;
    case 'queue_position':
      announcePosition(transition, position);
      return;
    case 'message':
    case 'longest':
      finish(transition, { ...endingOf(transition), detail: { reason: `${name}_time` } });
      return;
  }
}
