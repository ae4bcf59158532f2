/** The life of a leg: it starts, is answered, is bridged, and ends. Each step calls the hooks and posts a webhook. */
import { randomBytes, randomUUID } from 'node:crypto';
import { nowText } from '../state.ts';
import type { World } from '../world.ts';
import { cancelPlans, plan } from './clock.ts';
import type { CallHooks, Leg } from './hooks.ts';

type NewLeg = Pick<Leg, 'connection_id' | 'direction' | 'from' | 'to' | 'urls'> &
  Partial<Pick<Leg, 'call_session_id' | 'client_state' | 'parksAfterUnbridge'>> & {
    /** More fields of the report. */
    readonly reported?: Readonly<Record<string, unknown>>;
  };

type End = {
  readonly cause: string;
  /** The party that ends the leg: the person at the other end, the account by a command, or Telnyx. */
  readonly by: 'person' | 'account' | 'carrier';
  /** The SIP response; `unspecified` by default. */
  readonly sip?: string;
};

const ID_BYTES = 42;
const LEGS_KEPT = 20_000;

/** Starts a leg and reports `call.initiated`. */
export function startLeg(world: World, { reported = {}, ...given }: NewLeg): Leg {
  const { calls, state } = world;
  const isIncoming = given.direction === 'incoming';
  const leg: Leg = {
    call_control_id: `v3:${randomBytes(ID_BYTES).toString('base64url')}`,
    call_leg_id: randomUUID(),
    call_session_id: randomUUID(),
    person: isIncoming ? given.from : given.to,
    start_time: nowText(),
    answered_at: null,
    end_time: null,
    client_state: null,
    state: isIncoming ? 'parked' : 'dialing',
    partner: null,
    parksAfterUnbridge: false,
    hangup_cause: null,
    ...given,
  };
  const { legs, logs } = state.calls;
  legs.set(leg.call_control_id, leg);
  logs.set(leg.call_control_id, { heard: [], digitsSent: '', pressed: '' });
  const [oldest = ''] = legs.keys();
  if (legs.size > LEGS_KEPT) for (const kept of [legs, logs]) kept.delete(oldest);
  calls.report(leg, 'call.initiated', {
    ...{ from: leg.from, to: leg.to, direction: leg.direction, start_time: leg.start_time },
    state: isIncoming ? 'parked' : 'bridging',
    ...reported,
  });
  return leg;
}

/** Answers a leg. The leg ends automatically at its time limit. */
export function answerLeg(world: World, leg: Leg, limitMs: number): void {
  const { plans } = world.state.calls;
  cancelPlans(plans, leg, 'ring');
  world.state.calls.ringing.delete(leg.call_control_id);
  leg.state = 'answered';
  leg.answered_at = nowText();
  const { from, to, start_time } = leg;
  world.calls.report(leg, 'call.answered', { from, to, start_time, state: 'answered' });
  plan(plans, { leg, ms: limitMs, isAwaited: false }, () => endLeg(world, leg, { cause: 'time_limit', by: 'carrier' }));
  tell(world, (hooks) => hooks.onLegUp?.(leg));
}

/** Bridges two answered legs. Each leaves the bridge that it has. */
export function bridgeLegs(world: World, one: Leg, other: Leg): void {
  if (one.partner === other) return;
  for (const leg of [one, other]) leaveBridge(world, leg);
  one.partner = other;
  other.partner = one;
  tell(world, (hooks) => hooks.onBridged?.(one, other));
  for (const leg of [one, other]) world.calls.report(leg, 'call.bridged', { from: leg.from, to: leg.to });
}

/** Ends a leg and its bridged leg. If the bridged leg is set to park after a bridge, it stays up. */
export function endLeg(world: World, leg: Leg, { cause, by, sip = 'unspecified' }: End): void {
  if (leg.state === 'ended') return;
  cancelPlans(world.state.calls.plans, leg);
  world.state.calls.ringing.delete(leg.call_control_id);
  leg.state = 'ended';
  leg.end_time = nowText();
  leg.hangup_cause = cause;
  const partner = unbridge(world, leg);
  tell(world, (hooks) => hooks.onLegEnded?.(leg));
  const { from, to, start_time, end_time } = leg;
  const ends = { hangup_cause: cause, hangup_source: sourceOf(leg, by), sip_hangup_cause: sip };
  world.calls.report(leg, 'call.hangup', { from, to, start_time, end_time, state: 'hangup', ...ends });
  if (partner !== null) endAlone(world, partner);
}

/** The person of an answered leg presses a digit. */
export function pressDigit(world: World, leg: Leg, digit: string): void {
  world.calls.report(leg, 'call.dtmf.received', { digit, from: leg.from, to: leg.to });
  tell(world, (hooks) => hooks.onPersonPresses?.(leg, digit));
}

/** Calls a hook of each follower of the calls. */
export function tell({ calls }: World, call: (hooks: Partial<CallHooks>) => void): void {
  for (const hooks of calls.hooks) call(hooks);
}

/** Removes a leg from its bridge. The other leg ends, unless it is set to park after a bridge. */
export function leaveBridge(world: World, leg: Leg): void {
  const partner = unbridge(world, leg);
  if (partner !== null) endAlone(world, partner);
}

/** Parts a leg from its partner. Returns the partner. */
function unbridge(world: World, leg: Leg): Leg | null {
  const { partner } = leg;
  if (partner === null) return null;
  leg.partner = null;
  partner.partner = null;
  tell(world, (hooks) => hooks.onUnbridged?.(leg, partner));
  return partner;
}

/** Ends a leg whose bridge has ended, unless it is set to park after a bridge. */
function endAlone(world: World, leg: Leg): void {
  if (!leg.parksAfterUnbridge) endLeg(world, leg, { cause: 'normal_clearing', by: 'account' });
}

function sourceOf({ direction }: Leg, by: End['by']): 'caller' | 'callee' | 'unknown' {
  if (by === 'carrier') return 'unknown';
  return (direction === 'incoming') === (by === 'person') ? 'caller' : 'callee';
}
