/** The voicemail: its greeting, and the message of the caller. */
import type { VoicemailBehavior } from '../../../numbers/index.ts';
import type { Leg } from '../state/call.ts';
import { endingOf, finish, isMessage } from './ending.ts';
import { endHold } from './hold.ts';
import {
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

const MESSAGE_MS_MAX = 180_000;

/** Passes the call to the voicemail and speaks the greeting. The customer's leg is answered. */
export function greetCustomer(transition: Transition, voicemail: VoicemailBehavior): void {
  const { answeredBy, connectedAtMs } = transition.call;
  endHold(transition);
  log(transition, 'answered', { answered_by: 'voicemail' });
  change(transition, {
    status: 'in_progress',
    answeredBy: answeredBy ?? 'voicemail',
    connectedAtMs: connectedAtMs ?? transition.nowMs,
  });
  const customer = findAnsweredLeg(transition.call, 'customer') as Leg;
  const text = voicemail.greeting_text;
  const speechRef = speak(transition, { legRefs: [customer.id], text, purpose: 'greeting' });
  change(transition, { stage: { name: 'greeting', voicemail, speechRef } });
  setTimer(transition, 'speech', speechMsMax(text));
}

/** Handles the end of the greeting. An announcement may still be spoken. */
export function endGreeting(transition: Transition): void {
  const { stage } = transition.call;
  if (stage.name !== 'greeting') return;
  if (!isAnnouncing(transition.call)) recordMessage(transition, stage.voicemail);
  else change(transition, { stage: { ...stage, over: true } });
}

/** Records the caller's message, after the greeting and a tone. */
export function recordMessage(transition: Transition, voicemail: VoicemailBehavior): void {
  const caller = findAnsweredLeg(transition.call, 'customer') as Leg;
  clearTimer(transition, 'speech');
  const { voicemailRecordingId } = transition.call;
  command(transition, { do: 'start_recording', recordingRef: voicemailRecordingId, legRefs: [caller.id], beep: true });
  change(transition, {
    stage: { name: 'taking_message', voicemail },
    messageFromMs: transition.nowMs,
    transcribesMessage: voicemail.transcribe,
  });
  setTimer(transition, 'message', MESSAGE_MS_MAX);
  log(transition, 'voicemail_started');
}

/** Handles the end of the message's audio. If the carrier ended it (at a silence), the call ends too. */
export function keepMessage(transition: Transition, durationMs: number): void {
  if (transition.call.stage.name === 'taking_message') {
    finish(transition, { ...endingOf(transition, durationMs), detail: { reason: 'message_ended' } });
  }
  const { call } = transition;
  if (call.outcome !== 'voicemail' || call.voicemailKept) return;
  if (!isMessage(durationMs)) {
    const { voicemailRecordingId: recording_id } = call;
    change(transition, { voicemailKept: true });
    const reason = durationMs > 0 ? 'too_short' : 'no_audio';
    log(transition, 'failed', { failed: 'voicemail', reason, recording_id });
    return;
  }
  change(transition, { voicemailKept: true });
  transition.effects.push({
    do: 'keep_voicemail',
    recordingId: call.voicemailRecordingId,
    durationMs,
    transcribe: call.transcribesMessage,
  });
}
