/**
 * The announcements before the recording, the transcription, the media stream and the application. All of these start
 * only here, once no announcement is due or being spoken. If an announcement was not completed, nothing that depends on
 * it starts.
 */
import type { Call, Leg } from '../state/call.ts';
import { promptGather } from './digits.ts';
import { activateListeners, endListeners } from './listeners.ts';
import { cancelRecording, startRecording } from './recording.ts';
import { speakWaiting } from './speeches.ts';
import { closeStream, requestStream } from './streaming.ts';
import {
  answeredLegIds,
  change,
  clearTimer,
  command,
  findAnsweredLeg,
  isAnnouncing,
  log,
  setTimer,
  speak,
  speechMsMax,
  type Transition,
} from './transition.ts';

/** The announcement that both parties hear before they are recorded. */
export const RECORDING_ANNOUNCEMENT = 'This call is being recorded.';

/** Returns the spoken text: the announcement of a recording, the tenant's announcement, or both in one text. */
export function announcementText(of: { readonly isOfRecording: boolean; readonly listening: string | null }): string {
  return [of.isOfRecording ? RECORDING_ANNOUNCEMENT : null, of.listening].filter((text) => text !== null).join(' ');
}

/** Starts everything that may listen now. If an announcement is required first, speaks it. */
export function startListening(transition: Transition): void {
  const { call } = transition;
  const customer = findAnsweredLeg(call, 'customer');
  if (isAnnouncing(call) || customer === undefined) return;
  const isOfRecording = call.recording.name === 'wanted' && call.recording.announce && call.stage.name === 'talking';
  if (isOfRecording || (call.listening !== undefined && wantsToListen(call))) {
    announce(transition, { isOfRecording, customer });
    return;
  }
  if (call.transcription === 'wanted' && call.status === 'in_progress') startTranscription(transition);
  if (call.stage.name === 'talking') {
    startRecording(transition);
    activateListeners(transition);
  }
  requestStream(transition);
  promptGather(transition);
  if (call.stage.name === 'talking') speakWaiting(transition);
}

/** Returns true if anything other than the recording waits to listen to the customer. */
function wantsToListen({ transcription, status, stream, application, stage, listeners = [] }: Call): boolean {
  if (transcription === 'wanted' && status === 'in_progress') return true;
  if (stream !== null && !stream.requested) return true;
  if (listeners.some(({ isActive }) => !isActive)) return true;
  return application !== undefined && stage.name === 'talking';
}

/**
 * Speaks the required announcement. If a recording is announced, both parties hear it and the tenant's own
 * announcement, in one text.
 */
function announce(
  transition: Transition,
  { isOfRecording, customer }: { isOfRecording: boolean; customer: Leg },
): void {
  const { listening } = transition.call;
  const text = announcementText({ isOfRecording, listening: listening?.text ?? null });
  const legRefs = isOfRecording ? answeredLegIds(transition) : [customer.id];
  const speechRef = speak(transition, { legRefs, text, purpose: 'announcement' });
  if (isOfRecording) change(transition, { recording: { name: 'announcing', speechRef } });
  if (listening !== undefined) change(transition, { listening: { ...listening, speechRef } });
  setTimer(transition, 'announcement', speechMsMax(text));
}

/**
 * Records the end of an announcement. If it was not completed, cancels everything that waited for it. `startListening`
 * follows.
 * @returns false if the call has an application and the customer has not heard the announcement that it requires
 */
export function endAnnouncement(transition: Transition, completed: boolean): boolean {
  const { recording, listening } = transition.call;
  const isOfRecording = recording.name === 'announcing';
  const isOfListening = listening !== undefined && listening.speechRef !== null;
  clearTimer(transition, 'announcement');
  if (completed) {
    log(transition, 'announcement_played', { which: nameOf(isOfRecording, isOfListening) });
    if (isOfRecording) change(transition, { recording: { name: 'wanted', announce: false, announced: true } });
    if (isOfListening) change(transition, { listening: undefined });
    return true;
  }
  if (isOfRecording) cancelRecording(transition, 'announcement_failed');
  if (!isOfListening) return true;
  giveUpListening(transition, { ...listening, speechRef: null });
  return transition.call.application === undefined;
}

function nameOf(isOfRecording: boolean, isOfListening: boolean): 'recording' | 'listening' | 'both' {
  if (isOfRecording && isOfListening) return 'both';
  return isOfRecording ? 'recording' : 'listening';
}

/**
 * Cancels everything that waited for an announcement that the customer has not heard. The announcement stays due for
 * later requests.
 */
function giveUpListening(transition: Transition, listening: Call['listening']): void {
  const { transcription, stream } = transition.call;
  const reason = 'announcement_failed';
  change(transition, { listening });
  if (transcription === 'wanted') {
    change(transition, { transcription: 'off' });
    log(transition, 'failed', { failed: 'transcription', reason });
  }
  endListeners(transition, reason, { waiting: true });
  if (stream?.requested === false) closeStream(transition, stream.id, { reason: 'carrier_error' });
}

function startTranscription(transition: Transition): void {
  command(transition, { do: 'start_transcription', legRefs: answeredLegIds(transition) });
  change(transition, { transcription: 'on', transcribedFromMs: transition.nowMs });
  log(transition, 'transcription_started');
}
