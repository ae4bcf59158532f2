/**
 * The answer of an inbound call's caller. A carrier that has accepted the command has not answered the leg yet: the
 * caller is greeted, bridged, recorded and streamed once the carrier reports the answer.
 */
import type { Leg, OnAnswer } from '../call.ts';
import { requestStream } from './streaming.ts';
import { join } from './talking.ts';
import {
  change,
  clearTimer,
  command,
  findLeg,
  hangUp,
  liveLegs,
  log,
  setLegState,
  setTimer,
  type Transition,
} from './transition.ts';
import { greetCaller } from './voicemail.ts';

/** Carriers answer a leg within a second. After this time the report counts as lost. */
const ANSWER_MS = 5_000;

/** Answers the caller's leg, unless it is answered or the answer is commanded, and then does what is next. */
export function answerCaller(transition: Transition, next: OnAnswer): void {
  change(transition, { stage: { name: 'answering', next } });
  const caller = transition.call.legs.find(({ direction }) => direction === 'inbound') as Leg;
  if (caller.state === 'up') goOn(transition, next);
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
  if (stage.name === 'answering') goOn(transition, stage.next);
  requestStream(transition);
}

/**
 * Handles the answer timer. If the command has been dispatched, its report counts as lost and the call goes on: a
 * carrier that has not answered the leg refuses what follows.
 */
export function assumeCallerAnswer(transition: Transition, undispatched: readonly string[] = []): void {
  const caller = transition.call.legs.find(({ state }) => state === 'answering');
  if (caller === undefined) return;
  if (undispatched.includes(caller.id)) setTimer(transition, 'answer', ANSWER_MS);
  else handleCallerAnswer(transition, caller);
}

function goOn(transition: Transition, next: OnAnswer): void {
  if (next.do === 'greet') {
    greetCaller(transition, next.voicemail);
    return;
  }
  join(transition, findLeg(transition.call, next.legId)?.address as string);
  cancelTargets(transition, 'answered_elsewhere');
}

/** Hangs up targets that have not answered; by default all of them. */
export function cancelTargets(
  transition: Transition,
  reason: 'answered_elsewhere' | 'no_answer',
  targets: readonly Leg[] = liveLegs(transition.call, 'agent'),
): void {
  for (const leg of targets) {
    if (leg.state === 'up') continue;
    hangUp(transition, leg, reason);
    log(transition, 'target_cancelled', { target: leg.address, reason });
  }
}
