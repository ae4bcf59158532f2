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
  type Turn,
} from './transition.ts';

const MESSAGE_MS_MAX = 180_000;

/** Rings the targets that are next: all, or one. With none the caller is seen to at once. */
export function ringTargets(turn: Turn, plan: RingPlan): void {
  const now = plan.strategy === 'sequential' ? plan.waiting.slice(0, 1) : plan.waiting;
  const rest = { ...plan, waiting: plan.waiting.slice(now.length) };
  change(turn, { stage: { name: 'ringing_targets', plan: rest } });
  for (const to of now) dial(turn, { party: 'agent', to, shownAs: turn.call.customer, ringMs: plan.ringMs });
  setTimer(turn, 'ring', now.length === 0 ? 0 : plan.ringMs);
}

/** A target did not answer, was busy or cannot be reached. */
export function loseTarget(turn: Turn, leg: Leg, reason: string): void {
  const { stage } = turn.call;
  if (stage.name !== 'ringing_targets') return;
  log(turn, 'target_cancelled', { target: leg.address, reason });
  if (liveLegs(turn.call, 'agent').length === 0) tryNext(turn, stage.plan);
}

/** The targets that ring have had their time. */
export function endRinging(turn: Turn, plan: RingPlan): void {
  cancelTargets(turn, 'no_answer');
  tryNext(turn, plan);
}

function tryNext(turn: Turn, plan: RingPlan): void {
  clearTimer(turn, 'ring');
  if (plan.waiting.length > 0) ringTargets(turn, plan);
  else if (plan.noAnswer !== null) greet(turn, plan.noAnswer);
  else finish(turn, { ...endingOf(turn), detail: { reason: 'unanswered' } });
}

/** The first target to answer has the call; the others are hung up. */
export function takeAnswer(turn: Turn, winner: Leg): void {
  moveLeg(turn, winner.id, 'up');
  log(turn, 'answered', { answered_by: nameOfAnswerer(winner.address) });
  cancelTargets(turn, 'answered_elsewhere');
  answerCaller(turn);
  join(turn, winner.address);
}

/** The voicemail picks up and greets the caller. */
function greet(turn: Turn, voicemail: VoicemailBehavior): void {
  answerCaller(turn);
  log(turn, 'answered', { answered_by: 'voicemail' });
  change(turn, { status: 'in_progress', answeredBy: 'voicemail', connectedAtMs: turn.nowMs });
  const caller = legUp(turn.call, 'customer') as Leg;
  const text = voicemail.greeting_text;
  const speechRef = speak(turn, { legRefs: [caller.id], text, purpose: 'greeting' });
  change(turn, { stage: { name: 'greeting', voicemail, speechRef } });
  setTimer(turn, 'speech', speechMsMax(text));
}

/** The greeting is over: after a tone the caller speaks. */
export function takeMessage(turn: Turn, voicemail: VoicemailBehavior): void {
  const caller = legUp(turn.call, 'customer') as Leg;
  clearTimer(turn, 'speech');
  const { voicemailRecordingId } = turn.call;
  command(turn, { do: 'start_recording', recordingRef: voicemailRecordingId, legRefs: [caller.id], beep: true });
  change(turn, {
    stage: { name: 'taking_message', voicemail },
    messageFromMs: turn.nowMs,
    transcribesMessage: voicemail.transcribe,
  });
  setTimer(turn, 'message', MESSAGE_MS_MAX);
  log(turn, 'voicemail_started');
}

/** The audio of a message has ended at the carrier. A carrier that ends it by itself, at a silence, ends the call. */
export function keepMessage(turn: Turn, durationMs: number): void {
  const voicemail = turn.call.stage.name === 'taking_message' ? turn.call.stage.voicemail : undefined;
  if (voicemail !== undefined) finish(turn, { ...endingOf(turn), detail: { reason: 'message_ended' } });
  const { call } = turn;
  if (call.outcome !== 'voicemail' || call.voicemailKept || durationMs <= 0) return;
  change(turn, { voicemailKept: true });
  turn.effects.push({
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
