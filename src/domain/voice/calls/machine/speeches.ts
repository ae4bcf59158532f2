/**
 * The queue of speeches that the API has requested. The first speech is being spoken. During an announcement all
 * speeches wait.
 */
import type { QueuedSpeech } from '../state/call.ts';
import { isPaused } from './recording.ts';
import {
  change,
  clearTimer,
  command,
  emit,
  findAnsweredLeg,
  isAnnouncing,
  log,
  setTimer,
  speechMsMax,
  type Transition,
} from './transition.ts';

/** The most speeches of a call that are not over. */
export const SPEECHES_MAX = 10;

/** Adds a speech. It is spoken after the earlier speeches, and not during an announcement. */
export function queueSpeech(transition: Transition, speech: QueuedSpeech): void {
  const { speeches = [] } = transition.call;
  change(transition, { speeches: [...speeches, speech] });
  if (speeches.length === 0 && !isAnnouncing(transition.call)) speakFirst(transition);
}

/** Speaks the speeches that have waited for the end of an announcement. */
export function speakWaiting(transition: Transition): void {
  if (transition.call.speeches !== undefined && !isSpeaking(transition)) speakFirst(transition);
}

function isSpeaking({ call }: Transition): boolean {
  return call.timers.queued_speech !== undefined;
}

/** Speaks the first speech of the queue. A speech ends if all its parties have left. */
function speakFirst(transition: Transition): void {
  const { speeches: [first] = [] } = transition.call;
  if (first === undefined) {
    change(transition, { speeches: undefined });
    return;
  }
  const { id, text, to } = first;
  const parties = to === 'both' ? (['agent', 'customer'] as const) : [to];
  const legRefs = parties.flatMap((party) => findAnsweredLeg(transition.call, party)?.id ?? []);
  log(transition, 'speech_started', { speech_id: id, to });
  if (legRefs.length === 0) {
    endQueuedSpeech(transition, id, false);
    return;
  }
  command(transition, { do: 'speak', speechRef: id, legRefs, text, purpose: 'announcement' });
  setTimer(transition, 'queued_speech', speechMsMax(text));
}

/** Handles the end of a speech: the next is spoken. A speech that is not the first of the queue changes nothing. */
export function endQueuedSpeech(transition: Transition, speechRef: string, completed: boolean): void {
  const { speeches: [first, ...rest] = [], application, transcription } = transition.call;
  if (first?.id !== speechRef) return;
  clearTimer(transition, 'queued_speech');
  change(transition, { speeches: rest });
  reportEnd(transition, first, completed);
  if (completed && application !== undefined && transcription === 'on' && !isPaused(transition.call)) {
    transition.effects.push({ do: 'keep_said', speechId: first.id, text: first.text });
  }
  if (rest.length === 0 || !isAnnouncing(transition.call)) speakFirst(transition);
}

/** Handles a speech whose end was not reported. */
export function endLateSpeech(transition: Transition): void {
  const { speeches: [first] = [] } = transition.call;
  if (first === undefined) return;
  command(transition, { do: 'stop_speech', speechRef: first.id });
  endQueuedSpeech(transition, first.id, false);
}

/** Stops the current speech and empties the queue. */
export function stopSpeeches(transition: Transition): void {
  const { speeches: [first] = [] } = transition.call;
  if (first !== undefined && isSpeaking(transition)) command(transition, { do: 'stop_speech', speechRef: first.id });
  dropSpeeches(transition);
}

/** Empties the queue of a call that ends. Its legs are hung up, which also stops the current speech. */
export function dropSpeeches(transition: Transition): void {
  const { speeches = [] } = transition.call;
  if (speeches.length === 0) return;
  clearTimer(transition, 'queued_speech');
  change(transition, { speeches: undefined });
  for (const speech of speeches) reportEnd(transition, speech, false);
}

function reportEnd(transition: Transition, { id }: QueuedSpeech, completed: boolean): void {
  log(transition, 'speech_ended', { speech_id: id, completed });
  emit(transition, 'call.speech.ended', { speech_id: id, completed });
}
