import { APPLICATION, type CallBehavior } from '../../../numbers/index.ts';
import type { Leg, OnAnswer, RingPlan } from '../state/call.ts';
import type { Step } from '../state/call-step.ts';
import type { QueueInput, QueueOverflow } from '../state/queue-stage.ts';
import { endAnnouncement, startListening } from './announcements.ts';
import { awaitApplication, endIdleApplication, serveCustomer, silenceApplication } from './application.ts';
import { type Arrival, startArrival } from './arrival.ts';
import { endingOf, finish } from './ending.ts';
import { playHold } from './hold.ts';
import { chooseKey, offerMenu, repeatMenu } from './menu.ts';
import {
  enterQueue,
  handleAdmission,
  handleFullQueue,
  handleLongestWait,
  handleOffer,
  handleOfferAnswer,
} from './queue.ts';
import { serveByRelay } from './relay-party.ts';
import { dropRefused, planOf } from './ring-plan.ts';
import { decideRoute, decideUnanswered, decideVoicemail, enterMenu, reachTarget } from './route.ts';
import { join } from './talking.ts';
import {
  cancelTargets,
  change,
  clearTimer,
  command,
  dialAgentForCaller,
  findLeg,
  isAnnouncing,
  liveLegs,
  log,
  nameOfAnswerer,
  setLegState,
  setTimer,
  type Transition,
} from './transition.ts';
import { greetCustomer, recordMessage } from './voicemail.ts';

/** Starts a call that has arrived and rings. */
export function beginInbound(arrival: Arrival, nowMs: number): Step {
  const transition = startArrival(arrival, nowMs);
  follow(transition, arrival.behavior);
  return transition;
}

/** Carries out a behavior. `path` are the keys that have led to it. */
function follow(transition: Transition, behavior: CallBehavior, path = ''): void {
  switch (behavior.type) {
    case 'ring':
      ringTargets(transition, planOf(behavior, dropRefused(transition, behavior)));
      return;
    case 'voicemail':
      decideVoicemail(transition);
      answerCaller(transition, { do: 'greet', voicemail: behavior });
      return;
    case 'menu':
      enterMenu(transition);
      answerCaller(transition, { do: 'offer', menu: behavior, path });
      return;
    case 'relay':
      answerCaller(transition, { do: 'relay', relay: behavior, path });
      return;
    case 'queue':
      answerCaller(transition, { do: 'queue', queueId: behavior.queue_id, sinceMs: transition.nowMs });
  }
}

/** Continues with the overflow of a queue, because no agent has answered the caller. */
function overflow(transition: Transition, { behavior, refused }: QueueOverflow): void {
  const { refused: known = [] } = transition.call;
  if (refused.length > 0) change(transition, { refused: [...known, ...refused] });
  follow(transition, behavior);
  decideRoute(transition, 'overflow');
}

/** Handles the decision of a queue about the caller. */
export function handleQueueInput(transition: Transition, input: QueueInput): void {
  if (input.type === 'queue_admitted') handleAdmission(transition, input);
  else if (input.type === 'queue_offer') handleOffer(transition, input);
  else {
    const next = handleFullQueue(transition, input);
    if (next !== undefined) overflow(transition, next);
  }
}

/** Handles the timer of the longest wait in a queue. */
export function handleQueueTimer(transition: Transition): void {
  const next = handleLongestWait(transition);
  if (next !== undefined) overflow(transition, next);
}

/** Handles a key that the caller presses in a menu. */
export function handleMenuKey(transition: Transition, digit: string): void {
  const chosen = chooseKey(transition, digit);
  if (chosen !== undefined) follow(transition, chosen.next, chosen.path);
}

/** Handles the menu timer: the caller has pressed no key. */
export function handleMenuTimer(transition: Transition): void {
  const left = repeatMenu(transition);
  if (left !== undefined) follow(transition, left.next, left.path);
}

/** Handles an idle application: continues the ring, or the steps after a relay of the routing config. */
export function handleIdleApplication(transition: Transition): void {
  const next = endIdleApplication(transition);
  if (next === undefined) return;
  decideRoute(transition, null);
  reachTarget(transition);
  if (!('behavior' in next)) {
    tryNext(transition, next);
    return;
  }
  follow(transition, next.behavior, next.path);
  if (next.behavior.type === 'voicemail') decideRoute(transition, 'no_answer');
}

/**
 * Dials the next targets: all of them, or one in a sequential strategy. The application answers at once. So among
 * simultaneous targets it comes first, and the others ring only if it does nothing. If no target is left, the ring
 * timer is due immediately.
 */
function ringTargets(transition: Transition, plan: RingPlan): void {
  const isSequential = plan.strategy === 'sequential';
  const application = (isSequential ? plan.waiting.slice(0, 1) : plan.waiting).find((to) => to === APPLICATION);
  if (application !== undefined) {
    const waiting = plan.waiting.filter((to) => to !== application);
    answerCaller(transition, { do: 'serve', plan: { ...plan, waiting } });
    return;
  }
  const now = isSequential ? plan.waiting.slice(0, 1) : plan.waiting;
  const rest = { ...plan, waiting: plan.waiting.slice(now.length) };
  playHold(transition, transition.call.holdAudioRef ?? null);
  change(transition, { stage: { name: 'ringing_targets', plan: rest } });
  for (const to of now) dialAgentForCaller(transition, to, plan.ringMs);
  setTimer(transition, 'ring', now.length === 0 ? 0 : plan.ringMs);
}

/**
 * Handles the end of a target before it is joined with the caller: it did not answer, was busy, could not be reached,
 * or hung up. The other targets continue to ring.
 */
export function handleTargetEnd(
  transition: Transition,
  leg: Leg,
  why: { readonly reason: string; readonly sip_status?: number },
): void {
  const { stage } = transition.call;
  log(transition, 'target_cancelled', { target: leg.address, ...why });
  const isLast = liveLegs(transition.call, 'agent').length === 0;
  if (stage.name === 'ringing_targets' && isLast) tryNext(transition, stage.plan);
  if (stage.name !== 'answering' || stage.next.do !== 'join' || stage.next.legId !== leg.id) return;
  const { plan } = stage.next;
  change(transition, { stage: { name: 'ringing_targets', plan } });
  if (isLast) tryNext(transition, plan);
  else setTimer(transition, 'ring', plan.ringMs);
}

/** Handles the ring timer: hangs up the targets that ring. */
export function endRinging(transition: Transition, plan: RingPlan): void {
  if (liveLegs(transition.call, 'agent').length > 0) reachTarget(transition);
  cancelTargets(transition, 'no_answer');
  tryNext(transition, plan);
}

function tryNext(transition: Transition, plan: RingPlan): void {
  clearTimer(transition, 'ring');
  if (plan.waiting.length > 0) ringTargets(transition, plan);
  else if (plan.noAnswer === null) finish(transition, { ...endingOf(transition), detail: { reason: 'unanswered' } });
  else {
    decideUnanswered(transition);
    answerCaller(transition, { do: 'greet', voicemail: plan.noAnswer });
  }
}

/** Handles a target that answers. The first is joined with the caller; later ones are hung up. */
export function handleTargetAnswer(transition: Transition, target: Leg): void {
  const { stage } = transition.call;
  if (stage.name === 'queued') handleOfferAnswer(transition, target);
  if (stage.name === 'answering') cancelTargets(transition, 'answered_elsewhere', [target]);
  if (stage.name !== 'ringing_targets') return;
  setLegState(transition, target.id, 'up');
  log(transition, 'answered', { answered_by: nameOfAnswerer(target.address) });
  clearTimer(transition, 'ring');
  answerCaller(transition, { do: 'join', legId: target.id, plan: stage.plan });
}

/** Carriers answer a leg within a second. After this time the report counts as lost. */
const ANSWER_MS = 5_000;

/**
 * Answers the caller's leg, and does the next step once it is answered. If the answer is already commanded, sends no
 * second command.
 */
function answerCaller(transition: Transition, next: OnAnswer): void {
  change(transition, { stage: { name: 'answering', next } });
  const caller = transition.call.legs.find(({ direction }) => direction === 'inbound') as Leg;
  if (caller.state === 'up') continueWith(transition, next);
  if (caller.state !== 'ringing') return;
  setLegState(transition, caller.id, 'answering');
  command(transition, { do: 'answer', legRef: caller.id });
  setTimer(transition, 'answer', ANSWER_MS);
}

/** Handles the report that the caller's leg is answered. */
export function handleCallerAnswer(transition: Transition, caller: Leg): void {
  const { stage } = transition.call;
  clearTimer(transition, 'answer');
  setLegState(transition, caller.id, 'up');
  // The announcement of a stream comes before a menu or a greeting. If a target takes the call, the announcement
  // follows the join, so that both parties hear it.
  const next = stage.name === 'answering' ? stage.next : undefined;
  if (next?.do === 'greet' || next?.do === 'offer' || next === undefined) startListening(transition);
  if (next !== undefined) continueWith(transition, next);
}

/** Handles the end of an announcement: continues everything that waited for it. */
export function handleAnnouncementEnd(transition: Transition, completed: boolean): void {
  if (transition.call.stage.name === 'ended') return;
  if (!endAnnouncement(transition, completed)) {
    silenceApplication(transition, 'announcement_failed');
    handleIdleApplication(transition);
  }
  startListening(transition);
  resumeAfterAnnouncement(transition);
}

/** Continues everything that waits for the end of an announcement, except listening. */
function resumeAfterAnnouncement(transition: Transition): void {
  const { stage, legs } = transition.call;
  if (stage.name === 'ended' || isAnnouncing(transition.call)) return;
  awaitApplication(transition);
  const isAnswered = legs.some(({ direction, state }) => direction === 'inbound' && state === 'up');
  if (stage.name === 'answering' && isAnswered) continueWith(transition, stage.next);
  if (stage.name === 'greeting' && stage.over === true) recordMessage(transition, stage.voicemail);
}

/**
 * Handles the answer timer. If the command was dispatched, its report counts as lost, and the call continues. If the
 * leg was in fact not answered, the carrier refuses the next commands.
 */
export function assumeCallerAnswer(transition: Transition, undispatched: readonly string[] = []): void {
  const caller = transition.call.legs.find(({ state }) => state === 'answering');
  if (caller === undefined) return;
  if (undispatched.includes(caller.id)) setTimer(transition, 'answer', ANSWER_MS);
  else handleCallerAnswer(transition, caller);
}

/** Does the next step. A menu, a queue and a greeting wait for the end of an announcement. */
function continueWith(transition: Transition, next: OnAnswer): void {
  if (next.do !== 'serve' && next.do !== 'join' && isAnnouncing(transition.call)) return;
  switch (next.do) {
    case 'greet':
      greetCustomer(transition, next.voicemail);
      return;
    case 'offer':
      offerMenu(transition, next.menu, next.path);
      return;
    case 'relay':
      decideRoute(transition, 'answered');
      serveByRelay(transition, next.relay, next.path);
      return;
    case 'queue':
      enterQueue(transition, next);
      return;
    case 'serve':
      decideRoute(transition, 'answered');
      serveCustomer(transition, next.plan);
      return;
    case 'join':
      decideRoute(transition, 'answered');
      join(transition, findLeg(transition.call, next.legId)?.address as string);
      cancelTargets(transition, 'answered_elsewhere');
  }
}
