/**
 * The life of a call, as a pure function: no clock, no database, no carrier. It starts in machine/outbound.ts or
 * machine/inbound.ts; every later input comes through `step`.
 *
 *   click-to-call   dialing ──agent rings──▶ ringing ──customer answers──▶ in_progress ──▶ completed
 *                      └──────────────┴── either never answers, or hangs up ──▶ failed
 *   from a web client     the same, from where the customer is dialled: the agent's leg is up already
 *   inbound         ringing ──a target or the voicemail answers, then the caller's leg──▶ in_progress ──▶ completed
 *                      └── the caller hangs up, or no one answers ──▶ missed
 *
 * Reports may come late, twice and out of order, and legs end at any time. A report that does not fit the stage of the
 * call changes only its leg. A call ends once, and then no leg is left up.
 */
import type { Call, CallInput, CallRefusal, Leg, Step } from './call.ts';
import { awaitDigits, closeGather, handleDigit, openGather } from './machine/digits.ts';
import { connectedUntilMs, endingOf, finish, outcomeOfCause } from './machine/ending.ts';
import {
  assumeCallerAnswer,
  endRinging,
  handleCallerAnswer,
  handleTargetAnswer,
  handleTargetEnd,
  keepMessage,
  recordMessage,
} from './machine/inbound.ts';
import { handlePartyAnswer, handlePartyRinging } from './machine/outbound.ts';
import { closeStream, connectStream, openStream } from './machine/streaming.ts';
import {
  cancelRecording,
  endAnnouncement,
  keepRecording,
  resumeTranscription,
  startTranscription,
} from './machine/talking.ts';
import {
  change,
  clearTimer,
  command,
  findAnsweredLeg,
  findLeg,
  log,
  restartLateRing,
  setLegState,
  type Transition,
} from './machine/transition.ts';

/** Applies one input to the call. */
export function step(call: Call, input: CallInput, nowMs: number): Step {
  const refusal = refusalOf(call, input);
  if (refusal !== undefined) return { call, effects: [], refusal };
  const transition: Transition = { call, effects: [], nowMs };
  apply(transition, input);
  return { call: transition.call, effects: transition.effects };
}

/** Returns why a request of the API is refused. Reports of carriers and timers are never refused. */
function refusalOf(call: Call, input: CallInput): CallRefusal | undefined {
  switch (input.type) {
    case 'hang_up':
      return call.stage.name === 'ended' ? 'call_not_active' : undefined;
    case 'send_digits':
    case 'transcribe':
      return call.status === 'in_progress' ? undefined : 'call_not_active';
    case 'gather':
      if (call.status !== 'in_progress') return 'call_not_active';
      return call.gather === null ? undefined : 'gather_in_progress';
    case 'start_stream':
      if (call.status !== 'ringing' && call.status !== 'in_progress') return 'call_not_active';
      return call.stream === null ? undefined : 'stream_already_active';
    default:
      return undefined;
  }
}

function apply(transition: Transition, input: CallInput): void {
  const { call } = transition;
  switch (input.type) {
    case 'leg_ringing':
    case 'leg_answered':
    case 'leg_ended':
    case 'digit': {
      const leg = findLeg(call, input.legId);
      if (leg !== undefined) handleLegReport(transition, leg, input);
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
      if (input.recordingRef === call.recordingId) keepRecording(transition, input.durationMs);
      if (input.recordingRef === call.voicemailRecordingId) keepMessage(transition, input.durationMs);
      return;
    case 'command_failed':
      handleFailedCommand(transition, input);
      return;
    case 'stream_connected':
      connectStream(transition, input.streamId);
      return;
    case 'stream_over':
      closeStream(transition, input.streamId, input);
      return;
    case 'audio_lost':
      resumeTranscription(transition);
      return;
    case 'stream_unused':
      if (call.stream?.connected === false) closeStream(transition, input.streamId, { reason: 'no_client' });
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
    case 'digit':
      if (leg.state === 'up') handleDigit(transition, leg, report);
  }
}

function handleRinging(transition: Transition, leg: Leg): void {
  setLegState(transition, leg.id, 'ringing');
  if (transition.call.direction === 'inbound') log(transition, 'target_ringing', { target: leg.address });
  else handlePartyRinging(transition, leg);
}

/**
 * Handles the answer of a dialled party, or of a caller whom the product has answered. A leg that has been hung up is
 * `ending` and does not answer any more.
 */
function handleAnswer(transition: Transition, leg: Leg): void {
  if (leg.state === 'answering') handleCallerAnswer(transition, leg);
  // Only the product answers the leg of a caller.
  if (leg.direction === 'inbound' || (leg.state !== 'dialing' && leg.state !== 'ringing')) return;
  if (transition.call.direction === 'inbound') handleTargetAnswer(transition, leg);
  else handlePartyAnswer(transition, leg);
}

type LegEnd = Omit<Extract<CallInput, { type: 'leg_ended' }>, 'type' | 'legId'> & { readonly reason?: string };

function handleLegEnd(transition: Transition, leg: Leg, { cause, reason, recordedMs, endedAtMs }: LegEnd): void {
  setLegState(transition, leg.id, 'ended');
  const { stage, direction } = transition.call;
  if (stage.name === 'ended' || leg.state === 'ending') return;
  if ((stage.name === 'ringing_targets' || stage.name === 'answering') && leg.party === 'agent') {
    handleTargetEnd(transition, leg, reason ?? cause);
    return;
  }
  const detail = { party: leg.party, cause, ...(reason !== undefined && { reason }) };
  if (direction === 'outbound' && leg.state !== 'up') {
    finish(transition, { status: 'failed', outcome: outcomeOfCause(cause), detail });
    return;
  }
  const atMs = connectedUntilMs(transition, endedAtMs);
  const messageMs = recordedMs?.[transition.call.voicemailRecordingId];
  finish(transition, { ...endingOf({ ...transition, nowMs: atMs }, messageMs), detail, atMs });
}

function handleSpeechEnd(transition: Transition, speechRef: string, completed: boolean): void {
  const { stage, recording, gather } = transition.call;
  if (stage.name === 'greeting' && stage.speechRef === speechRef) recordMessage(transition, stage.voicemail);
  if (recording.name === 'announcing' && recording.speechRef === speechRef) endAnnouncement(transition, completed);
  if (gather?.speechRef === speechRef) awaitDigits(transition);
}

function handleTimer(
  transition: Transition,
  { name, generation, undispatched }: Extract<CallInput, { type: 'timer' }>,
): void {
  const { call } = transition;
  if (call.timers[name] !== generation) return;
  if (name === 'ring' && restartLateRing(transition, undispatched)) return;
  clearTimer(transition, name);
  const { stage, recording } = call;
  switch (name) {
    case 'ring':
      if (stage.name === 'ringing_targets') endRinging(transition, stage.plan);
      else finish(transition, { status: 'failed', outcome: 'no_answer', detail: { reason: 'no_answer' } });
      return;
    case 'answer':
      assumeCallerAnswer(transition, undispatched);
      return;
    case 'speech':
      if (stage.name === 'greeting') recordMessage(transition, stage.voicemail);
      else if (recording.name === 'announcing') endAnnouncement(transition, false);
      return;
    case 'gather':
      closeGather(transition, 'timeout');
      return;
    case 'message':
    case 'longest':
      finish(transition, { ...endingOf(transition), detail: { reason: `${name}_time` } });
      return;
  }
}

type Request = Extract<CallInput, { type: 'hang_up' | 'send_digits' | 'gather' | 'transcribe' | 'start_stream' }>;

function handleRequest(transition: Transition, input: Request): void {
  switch (input.type) {
    case 'hang_up':
      finish(transition, { ...endingOf(transition), detail: { reason: 'api_request' } });
      return;
    case 'send_digits': {
      const customer = findAnsweredLeg(transition.call, 'customer') as Leg;
      command(transition, { do: 'send_digits', legRef: customer.id, digits: input.digits });
      log(transition, 'dtmf', { digits: input.digits, sent: true });
      return;
    }
    case 'gather':
      openGather(transition, input);
      return;
    case 'transcribe':
      startTranscription(transition);
      return;
    case 'start_stream':
      openStream(transition, input.stream);
      return;
  }
}

/** Handles a command that the carrier has not carried out and never will. */
function handleFailedCommand(
  transition: Transition,
  { command: failed, reason }: Extract<CallInput, { type: 'command_failed' }>,
): void {
  const { call } = transition;
  switch (failed.do) {
    case 'dial':
    case 'hang_up': {
      const leg = findLeg(call, failed.legRef);
      if (leg === undefined || leg.state === 'ended') return;
      handleLegEnd(transition, leg, { cause: 'failed', ...(reason === 'destination_refused' && { reason }) });
      return;
    }
    case 'answer':
    case 'bridge': {
      // The leg may be answered although the carrier's reply was lost.
      const isDone = failed.do === 'answer' && findLeg(call, failed.legRef)?.state === 'up';
      if (isDone || call.stage.name === 'ended') return;
      const { status, outcome } = endingOf(transition);
      const detail = { reason, failed: failed.do };
      finish(transition, { status, outcome: outcome === 'answered' ? 'failed' : outcome, detail });
      return;
    }
    case 'speak':
      if (reason !== 'leg_gone' && call.stage.name !== 'ended') log(transition, 'failed', { failed: 'speech', reason });
      handleSpeechEnd(transition, failed.speechRef, false);
      return;
    case 'start_recording':
      handleFailedRecording(transition, failed.recordingRef, reason);
      return;
    case 'start_stream':
      closeStream(transition, failed.streamRef, { reason: 'carrier_error' });
      return;
    case 'start_transcription':
      if (call.transcription !== 'on' || call.stage.name === 'ended') return;
      change(transition, { transcription: 'off', transcribedFromMs: null });
      log(transition, 'failed', { failed: 'transcription', reason });
      return;
    default:
      return;
  }
}

function handleFailedRecording(transition: Transition, recordingRef: string, reason: string): void {
  const { recording, recordingId, voicemailRecordingId, stage } = transition.call;
  if (recordingRef === recordingId && recording.name === 'on') {
    cancelRecording(transition, reason);
    return;
  }
  // A caller who is gone has hung up at a moment that the carrier reports, or is asked for.
  if (recordingRef === voicemailRecordingId && stage.name === 'taking_message' && reason !== 'leg_gone') {
    finish(transition, { status: 'completed', outcome: 'missed', detail: { reason, failed: 'voicemail' } });
  }
}
