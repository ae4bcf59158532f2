/** The ends of legs and speeches, and commands that the carrier has not carried out. */
import type { Leg } from '../call.ts';
import type { CallInput } from '../call-step.ts';
import { awaitDigits } from './digits.ts';
import { connectedUntilMs, endingOf, finish, outcomeOfCause } from './ending.ts';
import { handleFailedHold } from './hold.ts';
import { handleTargetEnd } from './inbound.ts';
import { awaitKey } from './menu.ts';
import { endQueuedSpeech } from './speeches.ts';
import { closeStream } from './streaming.ts';
import { cancelRecording, endAnnouncement } from './talking.ts';
import { completeTransfer, handleAgentEnd } from './transfer.ts';
import { change, findLeg, log, setLegState, type Transition } from './transition.ts';
import { recordMessage } from './voicemail.ts';

type LegEnd = Omit<Extract<CallInput, { type: 'leg_ended' }>, 'type' | 'legId'> & { readonly reason?: string };

/** Handles the end of a leg. Most end the call. */
export function handleLegEnd(transition: Transition, leg: Leg, { cause, reason, recordedMs, endedAtMs }: LegEnd): void {
  setLegState(transition, leg.id, 'ended');
  const { stage, direction } = transition.call;
  if (stage.name === 'ended' || leg.state === 'ending') return;
  if ((stage.name === 'ringing_targets' || stage.name === 'answering') && leg.party === 'agent') {
    handleTargetEnd(transition, leg, reason ?? cause);
    return;
  }
  if (handleAgentEnd(transition, leg, cause)) return;
  const detail = { party: leg.party, cause, ...(reason !== undefined && { reason }) };
  if (direction === 'outbound' && leg.state !== 'up') {
    finish(transition, { status: 'failed', outcome: outcomeOfCause(cause), detail });
    return;
  }
  const atMs = connectedUntilMs(transition, endedAtMs);
  const messageMs = recordedMs?.[transition.call.voicemailRecordingId];
  finish(transition, { ...endingOf({ ...transition, nowMs: atMs }, messageMs), detail, atMs });
}

/** Handles the end of a speech, whatever it was for. */
export function handleSpeechEnd(transition: Transition, speechRef: string, completed: boolean): void {
  const { stage, recording, gather, transfer } = transition.call;
  if (stage.name === 'greeting' && stage.speechRef === speechRef) recordMessage(transition, stage.voicemail);
  if (recording.name === 'announcing' && recording.speechRef === speechRef) endAnnouncement(transition, completed);
  if (gather?.speechRef === speechRef) awaitDigits(transition);
  if (transfer?.speechRef === speechRef) completeTransfer(transition);
  awaitKey(transition, speechRef);
  endQueuedSpeech(transition, speechRef, completed);
}

/** Handles a command that the carrier has not carried out and never will. */
export function handleFailedCommand(
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
    case 'hold':
      handleFailedHold(transition, reason);
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
