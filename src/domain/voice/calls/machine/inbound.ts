/** An inbound call: its targets ring, or the caller leaves a message. */
import type { RingBehavior, VoicemailBehavior } from '../../../numbers/index.ts';
import type { Call, Leg, RingPlan, Step } from '../call.ts';
import { answerCaller, cancelTargets } from './answering.ts';
import { endingOf, finish } from './ending.ts';
import {
  type CallStart,
  change,
  clearTimer,
  dial,
  liveLegs,
  log,
  nameOfAnswerer,
  setLegState,
  setTimer,
  startTransition,
  type Transition,
} from './transition.ts';

export type Arrival = CallStart & {
  /** The caller's leg, as the carrier's adapter named it. */
  readonly legId: string;
  /** What the number's hours say, with the targets that may be dialled. */
  readonly behavior: RingBehavior | VoicemailBehavior;
  readonly recording: { readonly enabled: boolean; readonly consent_announcement: boolean };
};

/** Starts a call that has arrived and rings. */
export function beginInbound(arrival: Arrival, nowMs: number): Step {
  const { legId, behavior, recording, customer, number, limits } = arrival;
  const caller: Leg = { id: legId, party: 'customer', direction: 'inbound', address: customer, state: 'ringing' };
  const transition = startTransition('inbound', arrival, nowMs);
  change(transition, {
    status: 'ringing',
    legs: [caller],
    recording: recording.enabled ? { name: 'wanted', announce: recording.consent_announcement } : { name: 'off' },
  });
  log(transition, 'initiated', { from: customer, to: number });
  log(transition, 'ringing');
  transition.effects.push({ do: 'emit', event: 'call.started' });
  setTimer(transition, 'longest', limits.callMsMax);
  ringTargets(transition, planOf(behavior, limits));
  return transition;
}

/** Returns how the targets ring, within the carrier's limits. A voicemail behavior has no targets. */
function planOf(behavior: RingBehavior | VoicemailBehavior, limits: Call['limits']): RingPlan {
  if (behavior.type !== 'ring') return { strategy: 'simultaneous', ringMs: 0, waiting: [], noAnswer: behavior };
  const { strategy, targets: waiting, timeout_seconds, no_answer: noAnswer = null } = behavior;
  return { strategy, ringMs: Math.min(timeout_seconds * 1000, limits.ringMsMax), waiting, noAnswer };
}

/** Dials the next targets: all of them, or one. With no target left to dial the ring timer is due immediately. */
function ringTargets(transition: Transition, plan: RingPlan): void {
  const now = plan.strategy === 'sequential' ? plan.waiting.slice(0, 1) : plan.waiting;
  const rest = { ...plan, waiting: plan.waiting.slice(now.length) };
  change(transition, { stage: { name: 'ringing_targets', plan: rest } });
  const { customer: shownAs } = transition.call;
  for (const to of now) dial(transition, { party: 'agent', to, shownAs, ringMs: plan.ringMs });
  setTimer(transition, 'ring', now.length === 0 ? 0 : plan.ringMs);
}

/**
 * Handles the end of a target that did not answer, was busy or cannot be reached, or that hung up before it was joined
 * with the caller: the other targets ring on.
 */
export function handleTargetEnd(transition: Transition, leg: Leg, reason: string): void {
  const { stage } = transition.call;
  log(transition, 'target_cancelled', { target: leg.address, reason });
  const isLast = liveLegs(transition.call, 'agent').length === 0;
  if (stage.name === 'ringing_targets' && isLast) tryNext(transition, stage.plan);
  if (stage.name !== 'answering' || stage.next.do !== 'join' || stage.next.legId !== leg.id) return;
  const { plan } = stage.next;
  change(transition, { stage: { name: 'ringing_targets', plan } });
  if (isLast) tryNext(transition, plan);
  else setTimer(transition, 'ring', plan.ringMs);
}

/** Handles the ring timer: the targets that ring are hung up. */
export function endRinging(transition: Transition, plan: RingPlan): void {
  cancelTargets(transition, 'no_answer');
  tryNext(transition, plan);
}

function tryNext(transition: Transition, plan: RingPlan): void {
  clearTimer(transition, 'ring');
  if (plan.waiting.length > 0) ringTargets(transition, plan);
  else if (plan.noAnswer !== null) answerCaller(transition, { do: 'greet', voicemail: plan.noAnswer });
  else finish(transition, { ...endingOf(transition), detail: { reason: 'unanswered' } });
}

/** Handles a target that answers. The first is joined with the caller, and any later one is hung up. */
export function handleTargetAnswer(transition: Transition, target: Leg): void {
  const { stage } = transition.call;
  if (stage.name === 'answering') cancelTargets(transition, 'answered_elsewhere', [target]);
  if (stage.name !== 'ringing_targets') return;
  setLegState(transition, target.id, 'up');
  log(transition, 'answered', { answered_by: nameOfAnswerer(target.address) });
  clearTimer(transition, 'ring');
  answerCaller(transition, { do: 'join', legId: target.id, plan: stage.plan });
}
