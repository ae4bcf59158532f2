/** Commands that the carrier has not carried out. */
import type { VoiceInstruction } from '../../../../carriers/ports/voice.ts';
import type { CallInput, CommandFailure } from '../state/call-step.ts';
import { loseAgentAudio } from './agent-audio.ts';
import { endingOf, finish } from './ending.ts';
import { loseHearing } from './hearing.ts';
import { handleFailedHold } from './hold.ts';
import { cancelRecording, handleFailedPause } from './recording.ts';
import { closeStream } from './streaming.ts';
import { handleFailedConsult } from './transfer.ts';
import { change, findLeg, log, type Transition } from './transition.ts';

/**
 * Handles a command that the carrier has not carried out and will not carry out. If the failure also ends a leg or a
 * speech, call-machine.ts handles that end.
 */
export function handleFailedCommand(
  transition: Transition,
  { command: failed, reason }: Extract<CallInput, { type: 'command_failed' }>,
): void {
  const { call } = transition;
  switch (failed.do) {
    case 'bridge':
      if (handleFailedConsult(transition, failed.legRefs)) return;
      handleFailedJoin(transition, failed, reason);
      return;
    case 'answer':
      handleFailedJoin(transition, failed, reason);
      return;
    case 'speak':
      if (reason !== 'leg_gone' && call.stage.name !== 'ended') log(transition, 'failed', { failed: 'speech', reason });
      return;
    case 'hold':
      handleFailedHold(transition, reason);
      return;
    case 'start_recording':
      handleFailedRecording(transition, failed.recordingRef, reason);
      return;
    case 'pause_recording':
      handleFailedPause(transition, failed.recordingRef, reason);
      return;
    case 'start_stream':
      closeStream(transition, failed.streamRef, { reason: 'carrier_error' });
      loseHearing(transition, failed.streamRef);
      // The request may not be stored yet, and then the sweep cannot repeat it. A refused request is stored.
      if (failed.streamRef === failed.legRef && reason === 'unavailable') loseAgentAudio(transition, failed.legRef);
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

/** The parties cannot be connected: the call ends. */
function handleFailedJoin(
  transition: Transition,
  failed: Extract<VoiceInstruction, { do: 'answer' | 'bridge' }>,
  reason: CommandFailure,
): void {
  const { call } = transition;
  // The leg may be answered although the carrier's reply was lost.
  const isDone = failed.do === 'answer' && findLeg(call, failed.legRef)?.state === 'up';
  if (isDone || call.stage.name === 'ended') return;
  const { status, outcome } = endingOf(transition);
  const detail = { reason, failed: failed.do };
  finish(transition, { status, outcome: outcome === 'answered' ? 'failed' : outcome, detail });
}

function handleFailedRecording(transition: Transition, recordingRef: string, reason: string): void {
  const { recording, recordingId, voicemailRecordingId, stage } = transition.call;
  if (recordingRef === recordingId && recording.name === 'on') {
    cancelRecording(transition, reason);
    return;
  }
  // With `leg_gone` the caller has hung up. The carrier reports the hang-up, or the product asks for it.
  if (recordingRef === voicemailRecordingId && stage.name === 'taking_message' && reason !== 'leg_gone') {
    finish(transition, { status: 'completed', outcome: 'missed', detail: { reason, failed: 'voicemail' } });
  }
}
