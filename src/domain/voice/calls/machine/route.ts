/**
 * The reason for the route of an inbound call: the branch of its routing config, and the reason for the next step. The
 * executor writes both to the call's row, with the step that decides them. Later events of a call, such as a transfer,
 * do not change its route.
 */
import type { LegEndCause } from '../../../../carriers/ports/voice.ts';
import type { Call } from '../state/call.ts';
import type { Route, RouteReason } from '../state/call-route.ts';
import { change, type Transition } from './transition.ts';

/** The routing config's decision for an arriving call. */
export type ArrivedRoute = Pick<Route, 'configId' | 'repliesFrom'> & { readonly branch: 'open' | 'closed' | 'none' };

/** Returns the route of a call that arrives. At this time only the branch is known. */
export function startRoute({ branch, ...arrived }: ArrivedRoute): Route {
  return { ...arrived, branch, isClosed: branch === 'closed', reason: null, isReached: false };
}

/** Changes the route of a call, if it has one. */
function changeRoute(transition: Transition, patch: Partial<Route>): void {
  const { route } = transition.call;
  if (route !== undefined) change(transition, { route: { ...route, ...patch } });
}

/** Records the reason for the route of the call; null if the route is undecided again. */
export function decideRoute(transition: Transition, reason: RouteReason | null): void {
  changeRoute(transition, { reason });
}

/** Records that the caller is offered a menu. The menu decides the next steps. */
export function enterMenu(transition: Transition): void {
  changeRoute(transition, { branch: 'menu' });
}

/** Records that the routing config sends the caller to the voicemail without ringing a target. */
export function decideVoicemail(transition: Transition): void {
  const { route } = transition.call;
  if (route === undefined) return;
  const isRouted = route.configId !== null;
  decideRoute(transition, !isRouted ? 'no_routing' : route.isClosed ? 'closed' : 'answered');
}

/** Records that a target rings. */
export function reachTarget(transition: Transition): void {
  if (transition.call.route?.isReached === false) changeRoute(transition, { isReached: true });
}

const UNREACHED: ReadonlySet<string> = new Set(['unreachable', 'failed'] satisfies LegEndCause[]);

/** Records the end of a target's leg. The target was reached, unless the cause is in UNREACHED. */
export function noteTargetEnd(transition: Transition, cause: LegEndCause): void {
  if (!UNREACHED.has(cause)) reachTarget(transition);
}

/** Records that no target has taken the call. If the route already has a reason, it does not change. */
export function decideUnanswered(transition: Transition): void {
  const { route } = transition.call;
  if (route === undefined || route.reason !== null) return;
  decideRoute(transition, isTried(transition.call) && !route.isReached ? 'unreachable' : 'no_answer');
}

/** Returns true if every target has been dialled or may not be dialled. */
function isTried({ stage, legs }: Call): boolean {
  if (stage.name !== 'ringing_targets' || stage.plan.waiting.length > 0) return false;
  return legs.every(({ party, state }) => party !== 'agent' || state === 'ended' || state === 'ending');
}
