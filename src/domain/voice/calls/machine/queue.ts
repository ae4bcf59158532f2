/**
 * A caller who waits in a queue, with hold audio. The queue decides, in separate transactions, which callers it counts
 * in and which agents ring. All other steps are here. The waiting ends once: an agent answers, the caller hangs up or
 * asks to be called back, or the overflow follows.
 */
import type { CallEventFields } from '../../../events/index.ts';
import type { Leg } from '../state/call.ts';
import type { QueuedStage, QueueInput, QueueOverflow } from '../state/queue-stage.ts';
import { endHold, playHold } from './hold.ts';
import { decideRoute } from './route.ts';
import { join } from './talking.ts';
import {
  cancelTargets,
  change,
  clearTimer,
  command,
  dialAgentForCaller,
  emit,
  findAnsweredLeg,
  isAnnouncing,
  liveLegs,
  log,
  nameOfAnswerer,
  ringMsOf,
  setLegState,
  setTimer,
  speak,
  speechMsMax,
  type Transition,
} from './transition.ts';

const CALLBACK_TEXT = 'Thank you. We will call you back.';

function queuedIn({ call: { stage } }: Transition, queueId?: string): QueuedStage | undefined {
  return stage.name === 'queued' && (queueId === undefined || stage.queueId === queueId) ? stage : undefined;
}

/** Lets a caller whose leg is up wait. The queue counts the caller in later. */
export function enterQueue(transition: Transition, { queueId, sinceMs }: { queueId: string; sinceMs: number }): void {
  const connectedAtMs = transition.call.connectedAtMs ?? transition.nowMs;
  const stage = { name: 'queued', queueId, sinceMs, settings: null, isOffered: false, speechRef: null } as const;
  change(transition, { status: 'in_progress', connectedAtMs, stage });
  playHold(transition, transition.call.holdAudioRef ?? null);
}

/** Handles the decision of the queue to count the caller in: its times begin. */
export function handleAdmission(
  transition: Transition,
  { queueId, position, settings }: Extract<QueueInput, { type: 'queue_admitted' }>,
): void {
  const stage = queuedIn(transition, queueId);
  if (stage === undefined || stage.settings !== null) return;
  change(transition, { stage: { ...stage, settings } });
  reportEntry(transition, stage, position);
  const waitedMs = transition.nowMs - stage.sinceMs;
  setTimer(transition, 'queue_wait', Math.max(settings.maxWaitMs - waitedMs, 0));
  if (settings.announceMs !== null) setTimer(transition, 'queue_position', settings.announceMs);
}

function reportEntry(transition: Transition, { queueId: queue_id }: QueuedStage, position: number): void {
  log(transition, 'queued', { queue_id, position });
  emit(transition, 'call.queued', { queue_id, position });
}

/**
 * Handles a queue that has no room, or that was deleted.
 * @returns the overflow; undefined if the caller does not wait there
 */
export function handleFullQueue(
  transition: Transition,
  { queueId, position, overflow }: Extract<QueueInput, { type: 'queue_full' }>,
): QueueOverflow | undefined {
  const stage = queuedIn(transition, queueId);
  if (stage === undefined) return undefined;
  if (position !== null && stage.settings === null) reportEntry(transition, stage, position);
  leaveQueue(transition, 'overflow', null, position !== null || stage.settings !== null);
  return overflow;
}

/** Rings agents for the caller. */
export function handleOffer(
  transition: Transition,
  { queueId, agents }: Extract<QueueInput, { type: 'queue_offer' }>,
): void {
  const stage = queuedIn(transition, queueId);
  if (stage === undefined || stage.settings === null || stage.isOffered) return;
  forgetEndedLegs(transition);
  change(transition, { stage: { ...stage, isOffered: true } });
  const ringMs = ringMsOf(transition.call);
  for (const to of agents) dialAgentForCaller(transition, to, ringMs);
  setTimer(transition, 'ring', ringMs);
}

/** Removes the ended legs of earlier offers from the call, so that it does not grow while the caller waits. */
function forgetEndedLegs(transition: Transition): void {
  const { legs, legCount = legs.length } = transition.call;
  const left = legs.filter(({ party, state }) => party === 'customer' || state !== 'ended');
  if (left.length < legs.length) change(transition, { legs: left, legCount });
}

/** Handles an agent that answers: the first is joined with the caller, and the others are hung up. */
export function handleOfferAnswer(transition: Transition, agent: Leg): void {
  setLegState(transition, agent.id, 'up');
  log(transition, 'answered', { answered_by: nameOfAnswerer(agent.address) });
  leaveQueue(transition, 'answered', agent.address);
  cancelTargets(transition, 'answered_elsewhere');
  decideRoute(transition, 'answered');
  join(transition, agent.address);
}

type WhyEnded = { readonly reason: string; readonly sip_status?: number };

/** Handles the end of an agent's leg. After the last one the caller waits again, and keeps its place. */
export function handleOfferEnd(transition: Transition, leg: Leg, why: WhyEnded): void {
  log(transition, 'target_cancelled', { target: leg.address, ...why });
  if (liveLegs(transition.call, 'agent').length === 0) withdrawOffer(transition);
}

/** Handles the ring timer: hangs up the agents, and the caller waits again. */
export function endOffer(transition: Transition): void {
  cancelTargets(transition, 'no_answer');
  withdrawOffer(transition);
}

function withdrawOffer(transition: Transition): void {
  const stage = queuedIn(transition);
  if (stage === undefined) return;
  clearTimer(transition, 'ring');
  change(transition, { stage: { ...stage, isOffered: false } });
}

/** Handles the longest wait. Returns the overflow; undefined if the caller does not wait any more. */
export function handleLongestWait(transition: Transition): QueueOverflow | undefined {
  const stage = queuedIn(transition);
  if (stage === undefined || stage.settings === null) return undefined;
  cancelTargets(transition, 'no_answer');
  leaveQueue(transition, 'overflow', null);
  return stage.settings.overflow;
}

/**
 * Handles the key that a caller presses to be called back.
 * @returns false for any other key
 */
export function handleCallbackKey(transition: Transition, digit: string): boolean {
  const stage = queuedIn(transition);
  if (stage?.settings?.callbackDigit !== digit) return false;
  const caller = findAnsweredLeg(transition.call, 'customer') as Leg;
  cancelTargets(transition, 'answered_elsewhere');
  leaveQueue(transition, 'callback', null);
  endHold(transition);
  const speechRef = speak(transition, { legRefs: [caller.id], text: CALLBACK_TEXT, purpose: 'announcement' });
  change(transition, { stage: { name: 'goodbye', speechRef } });
  setTimer(transition, 'speech', speechMsMax(CALLBACK_TEXT));
  return true;
}

/**
 * Tells a caller its position, in place of hold audio. If an agent rings or an announcement is being spoken, this waits
 * until the next interval.
 */
export function announcePosition(transition: Transition, position: number | null): void {
  const stage = queuedIn(transition);
  const { settings } = stage ?? {};
  if (stage === undefined || settings?.announceMs == null) return;
  if (stage.speechRef !== null) {
    endPositionSpeech(transition, stage.speechRef);
    return;
  }
  const caller = findAnsweredLeg(transition.call, 'customer');
  if (caller === undefined || position === null || stage.isOffered || isAnnouncing(transition.call)) {
    setTimer(transition, 'queue_position', settings.announceMs);
    return;
  }
  const text = positionText(position, settings.callbackDigit);
  endHold(transition);
  const speechRef = speak(transition, { legRefs: [caller.id], text, purpose: 'announcement' });
  change(transition, { stage: { ...stage, speechRef } });
  setTimer(transition, 'queue_position', speechMsMax(text));
}

const KEY_NAMES: Readonly<Record<string, string>> = { '*': 'star', '#': 'pound' };

function positionText(position: number, digit: string | null): string {
  const place = position === 1 ? 'You are next in line.' : `You are number ${position} in line.`;
  return digit === null ? place : `${place} To be called back, press ${KEY_NAMES[digit] ?? digit}.`;
}

/** Handles the end of the announcement of a position: hold audio plays again. */
export function endPositionSpeech(transition: Transition, speechRef: string): void {
  const stage = queuedIn(transition);
  if (stage === undefined || stage.speechRef !== speechRef || stage.settings?.announceMs == null) return;
  change(transition, { stage: { ...stage, speechRef: null } });
  setTimer(transition, 'queue_position', stage.settings.announceMs);
  playHold(transition, transition.call.holdAudioRef ?? null);
}

type LeaveReason = CallEventFields['call.dequeued']['reason'];

/** Reports that the call ended while its caller waited. */
export function abandonQueue(transition: Transition): void {
  leaveQueue(transition, 'abandoned', null);
}

/**
 * Ends the waiting. A caller that the queue has not counted in has no waiting time. The next behavior sets the stage.
 */
function leaveQueue(
  transition: Transition,
  reason: LeaveReason,
  agent: string | null,
  isCounted = queuedIn(transition)?.settings != null,
): void {
  const stage = queuedIn(transition);
  if (stage === undefined) return;
  for (const timer of ['ring', 'queue_wait', 'queue_position'] as const) clearTimer(transition, timer);
  if (stage.speechRef !== null) command(transition, { do: 'stop_speech', speechRef: stage.speechRef });
  change(transition, { stage: { ...stage, speechRef: null, isOffered: false } });
  if (!isCounted) return;
  const wait_seconds = Math.round((transition.nowMs - stage.sinceMs) / 1000);
  const { queueId: queue_id, settings } = stage;
  const named = settings?.name === undefined ? {} : { queue_name: settings.name };
  log(transition, 'dequeued', { queue_id, reason, wait_seconds, agent, ...named });
  emit(transition, 'call.dequeued', { queue_id, wait_seconds, reason, agent });
}
