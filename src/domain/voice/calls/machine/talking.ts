/** The joined parties: their talk, its recording and its transcription. */
import { isWebClient } from '../../web-clients/rules.ts';
import type { Leg, RecordingState } from '../call.ts';
import { leaveHold } from './hold.ts';
import { speakWaiting } from './speeches.ts';
import {
  change,
  clearTimer,
  command,
  findAnsweredLeg,
  liveLegs,
  log,
  setTimer,
  speak,
  speechMsMax,
  type Transition,
} from './transition.ts';

/** What both parties hear before they are recorded. */
export const ANNOUNCEMENT = 'This call is being recorded.';

/**
 * Joins the two answered legs and emits call.answered. Connected time starts. The application as the party has no leg:
 * then the customer's is alone.
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
  transition.effects.push({ do: 'emit', event: 'call.answered' });
  if (transition.call.transcription === 'wanted') startTranscription(transition);
  const { recording } = transition.call;
  if (recording.name !== 'wanted') return;
  if (recording.announce) announceRecording(transition);
  else startRecording(transition, { announced: false });
}

function announceRecording(transition: Transition): void {
  const legRefs = answeredLegIds(transition);
  const speechRef = speak(transition, { legRefs, text: ANNOUNCEMENT, purpose: 'announcement' });
  change(transition, { recording: { name: 'announcing', speechRef } });
  setTimer(transition, 'speech', speechMsMax(ANNOUNCEMENT));
}

/** Starts the recording after its announcement. Without a complete announcement nothing is recorded. */
export function endAnnouncement(transition: Transition, completed: boolean): void {
  clearTimer(transition, 'speech');
  if (completed) {
    log(transition, 'announcement_played');
    startRecording(transition, { announced: true });
  } else {
    cancelRecording(transition, 'announcement_failed');
  }
  speakWaiting(transition);
}

function startRecording(transition: Transition, { announced }: { announced: boolean }): void {
  const { recordingId } = transition.call;
  command(transition, {
    do: 'start_recording',
    recordingRef: recordingId,
    legRefs: answeredLegIds(transition),
    beep: false,
  });
  change(transition, { recording: { name: 'on', announced } });
  log(transition, 'recording_started', { recording_id: recordingId });
}

/** Cancels a recording that will have no audio. */
export function cancelRecording(transition: Transition, reason: string): void {
  change(transition, { recording: { name: 'off' } });
  log(transition, 'recording_stopped', { reason });
}

/** Handles the end of the recording's audio: the audio is fetched and kept. */
export function keepRecording(transition: Transition, durationMs: number): void {
  const { recording, recordingId } = transition.call;
  if (recording.name !== 'on' && recording.name !== 'stopped') return;
  if (recording.name === 'on') log(transition, 'recording_stopped', { recording_id: recordingId });
  const { announced } = recording as Extract<RecordingState, { announced: boolean }>;
  change(transition, { recording: { name: 'kept' } });
  if (durationMs <= 0) {
    log(transition, 'failed', { failed: 'recording', reason: 'no_audio', recording_id: recordingId });
    return;
  }
  transition.effects.push({ do: 'meter', kind: 'recording_minute', durationMs });
  transition.effects.push({ do: 'keep_recording', recordingId, durationMs, announced });
}

/** Starts the transcription of both parties. A second start changes nothing. */
export function startTranscription(transition: Transition): void {
  if (transition.call.transcription === 'on') return;
  command(transition, { do: 'start_transcription', legRefs: answeredLegIds(transition) });
  change(transition, { transcription: 'on', transcribedFromMs: transition.nowMs });
  log(transition, 'transcription_started');
}

/** Asks for the audio of a call that is transcribed, or that a web client is on, again. */
export function resumeAudio(transition: Transition): void {
  const { transcription, stage, bridged } = transition.call;
  if (stage.name === 'ended') return;
  const legRefs = answeredLegIds(transition);
  const [agent, customer] = [findAnsweredLeg(transition.call, 'agent'), findAnsweredLeg(transition.call, 'customer')];
  if (bridged && agent && customer && isWebClient(agent.address)) {
    command(transition, { do: 'bridge', legRefs: [agent.id, customer.id] });
  } else if (transcription === 'on') command(transition, { do: 'start_transcription', legRefs });
}

function answeredLegIds(transition: Transition): string[] {
  return liveLegs(transition.call)
    .filter((leg) => leg.state === 'up')
    .map((leg) => leg.id);
}
