/** The order and the times of ringing the targets of a ring. */
import type { RingBehavior } from '../../../numbers/index.ts';
import type { Call, RingPlan } from '../state/call.ts';
import { log, type Transition } from './transition.ts';

/** Logs the targets of a behavior that may not be dialled. Returns the call. */
export function dropRefused(transition: Transition, { targets }: RingBehavior): Call {
  for (const { target, reason } of transition.call.refused ?? []) {
    if (targets.includes(target)) log(transition, 'target_cancelled', { target, reason });
  }
  return transition.call;
}

/** Returns the plan for ringing the targets that may be dialled, within the carrier's limits. */
export function planOf(behavior: RingBehavior, { limits, refused = [] }: Call): RingPlan {
  const { strategy, targets, timeout_seconds, no_answer: noAnswer = null, confirm } = behavior;
  const waiting = targets.filter((to) => refused.every(({ target }) => target !== to));
  const ringMs = Math.min(timeout_seconds * 1000, limits.ringMsMax);
  return { strategy, ringMs, waiting, noAnswer, ...(confirm === true && { confirm }) };
}
