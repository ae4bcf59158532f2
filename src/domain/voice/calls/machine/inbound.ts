/** A call that has come in: its targets ring, or a message is taken. */
import type { VoicemailBehavior } from '../../../numbers/index.ts';
import type { Call, Leg, RingPlan } from '../call.ts';
import { nameOfAnswerer } from '../rules.ts';
import { endingOf, finish } from './ending.ts';
import { join } from './talking.ts';
import {
  answerCaller,
  cancelTargets,
  change,
  clearTimer,
  command,
  dial,
  legUp,
  liveLegs,
  log,
  moveLeg,
  setTimer,
  speak,
  speechMsMax,
  type Transition,
} from './transition.ts';

const MESSAGE_MS_MAX = 180_000;

/** Rings the targets that are next: all, or one. With none the caller is seen to at once. */
export function ringTargets(transition: Transition, plan: RingPlan): void {
  const now = plan.strategy === 'sequential' ? plan.waiting.slice(0, 1) : plan.waiting;
  const rest = { ...plan, waiting: plan.waiting.slice(now.length) };
  change(transition, { stage: { name: 'ringing_targets', plan: rest } });
  for (const to of now)
    dial(transition, { party: 'agent', to, shownAs: transition.call.customer, ringMs: plan.ringMs });
  setTimer(transition, 'ring', now.length === 0 ? 0 : plan.ringMs);
}

/** A target did not answer, was busy or cannot be reached. */
export function loseTarget(transition: Transition, leg: Leg, reason: string): void {
  const { stage } = transition.call;
  if (stage.name !== 'ringing_targets') return;
  log(transition, 'target_cancelled', { target: leg.address, reason });
  if (liveLegs(transition.call, 'agent').length === 0) tryNext(transition, stage.plan);
}

/** The targets that ring have had their time. */
export function endRinging(transition: Transition, plan: RingPlan): void {
  cancelTargets(transition, 'no_answer');
  tryNext(transition, plan);
}

function tryNext(transition: Transition, plan: RingPlan): void {
  clearTimer(transition, 'ring');
  if (plan.waiting.length > 0) ringTargets(transition, plan);
  else if (plan.noAnswer !== null) greet(transition, plan.noAnswer);
  else finish(transition, { ...endingOf(transition), detail: { reason: 'unanswered' } });
}

/** The first target to answer has the call; the others are hung up. */
export function takeAnswer(transition: Transition, winner: Leg): void {
  moveLeg(transition, winner.id, 'up');
  log(transition, 'answered', { answered_by: nameOfAnswerer(winner.address) });
  cancelTargets(transition, 'answered_elsewhere');
  answerCaller(transition);
  join(transition, winner.address);
}

/** The voicemail picks up and greets the caller. */
function greet(transition: Transition, voicemail: VoicemailBehavior): void {
  answerCaller(transition);
  log(transition, 'answered', { answered_by: 'voicemail' });
  change(transition, { status: 'in_progress', answeredBy: 'voicemail', connectedAtMs: transition.nowMs });
  const caller = legUp(transition.call, 'customer') as Leg;
  const text = voicemail.greeting_text;
  const speechRef = speak(transition, { legRefs: [caller.id], text, purpose: 'greeting' });
  change(transition, { stage: { name: 'greeting', voicemail, speechRef } });
  setTimer(transition, 'speech', speechMsMax(text));
}

/** The greeting is over: after a tone the caller speaks. */
export function takeMessage(transition: Transition, voicemail: VoicemailBehavior): void {
  const caller = legUp(transition.call, 'customer') as Leg;
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

/** The audio of a message has ended at the carrier. A carrier that ends it by itself, at a silence, ends the call. */
export function keepMessage(transition: Transition, durationMs: number): void {
  const voicemail = transition.call.stage.name === 'taking_message' ? transition.call.stage.voicemail : undefined;
  if (voicemail !== undefined) finish(transition, { ...endingOf(transition), detail: { reason: 'message_ended' } });
  const { call } = transition;
  if (call.outcome !== 'voicemail' || call.voicemailKept || durationMs <= 0) return;
  change(transition, { voicemailKept: true });
  transition.effects.push({
    do: 'keep_voicemail',
    recordingId: call.voicemailRecordingId,
    durationMs,
    transcribe: call.transcribesMessage,
  });
}

/** The plan of a behaviour, within the carrier's bounds. */
export function planOf(
  behavior: { targets: readonly string[]; strategy: RingPlan['strategy']; timeout_seconds: number },
  noAnswer: VoicemailBehavior | null,
  limits: Call['limits'],
): RingPlan {
  const ringMs = Math.min(behavior.timeout_seconds * 1000, limits.ringMsMax);
  return { strategy: behavior.strategy, ringMs, waiting: behavior.targets, noAnswer };
}
