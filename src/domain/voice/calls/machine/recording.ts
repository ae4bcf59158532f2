/** The recording of the joined parties: its start, its pauses and its end. */
import type { Call } from '../state/call.ts';
import type { RecordingControl, RecordingState } from '../state/call-recording.ts';
import { answeredLegIds, change, clearTimer, command, log, type Transition } from './transition.ts';

/**
 * A call remembers this many of its latest pauses. The words of a pause are reported within seconds, so older pauses
 * are not needed.
 */
const PAUSES_MAX = 50;

/** Carries out the API's request for the recording. `startListening` follows. A repeat changes nothing. */
export function controlRecording(transition: Transition, { action, recordingId, announce }: RecordingControl): void {
  const { recording } = transition.call;
  if (action === 'stop') stopRecording(transition);
  else if (action !== 'start') setPaused(transition, action === 'pause');
  else if (recording.name === 'off') change(transition, { recording: { name: 'wanted', announce } });
  else if (recording.name === 'kept') change(transition, { recordingId, recording: { name: 'wanted', announce } });
  else if (recording.name === 'stopped' && recording.next === undefined) {
    change(transition, { recording: { ...recording, next: { id: recordingId, announce } } });
  }
}

/** Pauses or resumes the recording. A recording that has not started does not start before it is resumed. */
function setPaused(transition: Transition, paused: boolean): void {
  const { recording, pauses = [] } = transition.call;
  if (!mayPause(recording) || isPaused(transition.call) === paused) return;
  if (recording.name === 'on') {
    const { recordingId: recordingRef } = transition.call;
    command(transition, { do: paused ? 'pause_recording' : 'resume_recording', recordingRef });
  }
  if (paused) change(transition, { pauses: [...pauses, { fromMs: transition.nowMs, toMs: null }].slice(-PAUSES_MAX) });
  else endPause(transition);
  log(transition, paused ? 'recording_paused' : 'recording_resumed', { recording_id: requestedId(transition.call) });
}

/** Returns the id of the recording that the API controls: the next one, if the API has requested it after a stop. */
export function requestedId({ recording, recordingId }: Call): string {
  return (recording.name === 'stopped' ? recording.next?.id : undefined) ?? recordingId;
}

/** Returns true for a recording that runs or is to start. */
export function mayPause(recording: RecordingState): boolean {
  return PAUSABLE.has(recording.name) || (recording.name === 'stopped' && recording.next !== undefined);
}
const PAUSABLE: ReadonlySet<RecordingState['name']> = new Set(['wanted', 'announcing', 'on']);

/** Returns true if something was said while the recording was paused. Part of the words is enough. */
export function isInPause({ pauses = [] }: Call, { startedAt, endedAt }: { startedAt: Date; endedAt: Date }): boolean {
  return pauses.some(({ fromMs, toMs }) => endedAt.getTime() > fromMs && startedAt.getTime() < (toMs ?? Infinity));
}

/** Returns true while the recording is paused. */
export function isPaused({ pauses }: Call): boolean {
  return pauses?.at(-1)?.toMs === null;
}

/** Ends the current pause, if there is one. A recording that has ended is not paused. */
function endPause(transition: Transition): void {
  const { call, nowMs } = transition;
  if (!isPaused(call)) return;
  change(transition, { pauses: call.pauses?.map((pause) => ({ ...pause, toMs: pause.toMs ?? nowMs })) ?? [] });
}

/** Stops the recording of the parties, or cancels a recording that has not started. */
export function stopRecording(transition: Transition): void {
  const { recording, recordingId } = transition.call;
  endPause(transition);
  if (recording.name === 'on') {
    command(transition, { do: 'stop_recording', recordingRef: recordingId });
    log(transition, 'recording_stopped', { recording_id: recordingId });
    change(transition, { recording: { name: 'stopped', announced: recording.announced } });
  } else if (recording.name === 'wanted' || recording.name === 'announcing') {
    if (recording.name === 'announcing') breakOff(transition, recording.speechRef);
    change(transition, { recording: { name: 'off', isCanceled: true } });
  } else if (recording.name === 'stopped' && recording.next !== undefined) {
    change(transition, { recording: { name: 'stopped', announced: recording.announced } });
  }
}

/** Stops an announcement that only the recording requires. Legs that were hung up no longer hear it. */
function breakOff(transition: Transition, speechRef: string): void {
  if (transition.call.listening?.speechRef === speechRef || answeredLegIds(transition).length === 0) return;
  clearTimer(transition, 'announcement');
  command(transition, { do: 'stop_speech', speechRef });
}

/** Starts a recording that is wanted and not paused. */
export function startRecording(transition: Transition): void {
  const { recordingId, recording } = transition.call;
  if (recording.name !== 'wanted' || isPaused(transition.call)) return;
  const legRefs = answeredLegIds(transition);
  command(transition, { do: 'start_recording', recordingRef: recordingId, legRefs, beep: false });
  change(transition, { recording: { name: 'on', announced: recording.announced === true } });
  log(transition, 'recording_started', { recording_id: recordingId });
}

/** Cancels a recording that will have no audio. */
export function cancelRecording(transition: Transition, reason: string): void {
  endPause(transition);
  change(transition, { recording: { name: 'off', isCanceled: true } });
  log(transition, 'recording_stopped', { reason });
}

/**
 * Handles a pause that the carrier has not carried out. Stops the recording, which would contain speech that must not
 * be recorded.
 */
export function handleFailedPause(transition: Transition, recordingRef: string, reason: string): void {
  const { recording, recordingId } = transition.call;
  if (recording.name !== 'on' || recordingRef !== recordingId) return;
  log(transition, 'failed', { failed: 'recording_pause', reason, recording_id: recordingId });
  stopRecording(transition);
}

/**
 * Handles the end of the recording's audio: the audio is fetched and kept. If the API has requested another recording
 * in the meantime, that recording is wanted now. `startListening` follows.
 */
export function keepRecording(transition: Transition, durationMs: number): void {
  const { recording, recordingId } = transition.call;
  if (recording.name !== 'on' && recording.name !== 'stopped') return;
  // A pause after the stop belongs to the next recording.
  if (recording.name === 'on') {
    endPause(transition);
    log(transition, 'recording_stopped', { recording_id: recordingId });
  }
  change(transition, nextRecording(recording));
  if (durationMs <= 0) {
    log(transition, 'failed', { failed: 'recording', reason: 'no_audio', recording_id: recordingId });
    return;
  }
  transition.effects.push({ do: 'meter', kind: 'recording_minute', durationMs });
  transition.effects.push({ do: 'keep_recording', recordingId, durationMs, announced: recording.announced });
}

function nextRecording(recording: Extract<RecordingState, { announced: boolean }>) {
  const next = recording.name === 'stopped' ? recording.next : undefined;
  if (next === undefined) return { recording: { name: 'kept' as const } };
  return { recordingId: next.id, recording: { name: 'wanted' as const, announce: next.announce } };
}
