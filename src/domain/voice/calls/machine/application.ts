/** The application as the party that talks to the customer. It answers at once and has no leg. */
import { APPLICATION, RELAY } from '../../../numbers/index.ts';
import type { Call, RingPlan } from '../state/call.ts';
import { finish } from './ending.ts';
import { stopSpeeches } from './speeches.ts';
import { hasClient } from './streaming.ts';
import { join } from './talking.ts';
import { change, clearTimer, isAnnouncing, log, setTimer, type Transition } from './transition.ts';

/** If an application has done nothing for this time, it counts as not answering. */
const IDLE_MS = 10_000;

/**
 * Lets the application answer. The customer's leg is up.
 * @param plan the ring plan that follows if the application does nothing; null for an outbound call
 */
export function serveCustomer(transition: Transition, plan: RingPlan | null): void {
  const isActive = hasClient(transition.call);
  change(transition, { application: { isActive, plan } });
  log(transition, 'answered', { answered_by: APPLICATION });
  join(transition, APPLICATION);
  awaitApplication(transition);
}

/** Starts the time limit of an idle application. The time does not count during an announcement. */
export function awaitApplication(transition: Transition): void {
  const { application, timers } = transition.call;
  if (application === undefined || application.isActive || isAnnouncing(transition.call)) return;
  if (timers.application === undefined) setTimer(transition, 'application', IDLE_MS);
}

/** Records that the application is active: it has connected a stream, spoken, gathered or transferred. */
export function markActive(transition: Transition): void {
  const { application, connectedAtMs } = transition.call;
  if (application === undefined || application.isActive || connectedAtMs === null) return;
  change(transition, { application: { ...application, isActive: true } });
  clearTimer(transition, 'application');
}

/** Takes the call from the application, because a person or the voicemail has it now. */
export function dismissApplication(transition: Transition): void {
  if (transition.call.application === undefined) return;
  change(transition, { application: undefined });
  clearTimer(transition, 'application');
}

/** Treats an application that cannot talk to the customer as an idle one. */
export function silenceApplication(transition: Transition, reason: string): void {
  const { application } = transition.call;
  if (application === undefined) return;
  log(transition, 'failed', { failed: 'application', reason });
  stopSpeeches(transition);
  change(transition, { application: { ...application, isActive: false } });
}

/**
 * Handles an application that has done nothing. An outbound call fails.
 * @returns the behavior that continues an inbound call: the ring plan, or the fallback of the relay that had answered
 */
export function endIdleApplication(
  transition: Transition,
): RingPlan | NonNullable<NonNullable<Call['application']>['fallback']> | undefined {
  const { application } = transition.call;
  if (application === undefined || application.isActive) return undefined;
  const { plan, fallback } = application;
  if (fallback !== undefined) {
    change(transition, { application: undefined, answeredBy: null });
    log(transition, 'target_cancelled', { target: RELAY, reason: 'no_answer' });
    return fallback;
  }
  if (plan === null) {
    finish(transition, { status: 'failed', outcome: 'no_application', detail: { reason: 'no_application' } });
    return undefined;
  }
  change(transition, { application: undefined, answeredBy: null, stage: { name: 'ringing_targets', plan } });
  log(transition, 'target_cancelled', { target: APPLICATION, reason: 'no_answer' });
  return plan;
}
