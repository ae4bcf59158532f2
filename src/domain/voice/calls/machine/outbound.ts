/**
 * An outbound call: the agent is dialled first, then the customer. If a web client or telephone places the call, it is
 * the agent.
 */
import { isEmergencyNumber } from '../../../../lib/phone/emergency.ts';
import { APPLICATION, type RelaySettings } from '../../../numbers/index.ts';
import type { Leg } from '../state/call.ts';
import type { Step } from '../state/call-step.ts';
import type { Detection } from '../state/detection.ts';
import { serveCustomer } from './application.ts';
import { talkByRelay } from './relay-party.ts';
import { join } from './talking.ts';
import {
  type CallStart,
  change,
  dial,
  dialParty,
  emit,
  log,
  nameOfAnswerer,
  setLegState,
  setTimer,
  startTransition,
  type Transition,
} from './transition.ts';

export type ClickToCall = CallStart & {
  /** E.164, a web client's id, `application` or `relay`. */
  readonly agent: string;
  /** The settings of the agent of text; absent if the agent is of another kind. */
  readonly relay?: RelaySettings | undefined;
  readonly record: boolean;
  /** Whether a recording is announced to both parties. */
  readonly announce: boolean;
  readonly transcribe: boolean;
  /** The announcement that the customer must hear before any recording or agent starts. */
  readonly listeningAnnouncement?: string | null;
  /** The behavior if a machine answers; absent if detection was not requested. */
  readonly detection?: Pick<Detection, 'onMachine' | 'message' | 'hearing'>;
};

/**
 * Starts a call from the tenant's number, emits call.placed, and dials the agent first. If the agent is the application
 * or an agent of text, it need not be dialled, and the customer is dialled first.
 */
export function beginClickToCall(wanted: ClickToCall, nowMs: number): Step {
  const { agent, record, announce, transcribe, relay, detection, listeningAnnouncement: text = null } = wanted;
  const transition = startTransition('outbound', wanted, nowMs);
  change(transition, {
    status: 'dialing',
    stage: { name: 'dialing_agent' },
    recording: record ? { name: 'wanted', announce } : { name: 'off' },
    transcription: transcribe ? 'wanted' : 'off',
    ...(text !== null && { listening: { text, speechRef: null } }),
    ...(detection !== undefined && { detection: { ...detection, kind: null, greetingEnded: false } }),
  });
  announceStart(transition, agent);
  if (agent === APPLICATION || relay !== undefined) {
    change(transition, {
      stage: { name: 'dialing_customer' },
      ...(relay === undefined ? { application: { isActive: false, plan: null } } : { relay }),
    });
    dialParty(transition, 'customer', transition.call.customer);
  } else {
    dialParty(transition, 'agent', agent);
  }
  return transition;
}

export type AgentCall = CallStart & {
  /** A web client's id, or the address of a telephone at an engine. */
  readonly agent: string;
  /** The agent's own leg, which is up at the carrier. */
  readonly legId: string;
  /** The customer's leg, if the carrier dials it without a command. */
  readonly connectedLegId?: string | undefined;
};

/** Starts a call that an agent places and emits call.placed. Its leg is up already, and the customer is dialled. */
export function beginAgentCall(wanted: AgentCall, nowMs: number): Step {
  const { agent: address, legId, connectedLegId } = wanted;
  const transition = startTransition('outbound', wanted, nowMs);
  const agent: Leg = { id: legId, party: 'agent', direction: 'inbound', address, state: 'up' };
  change(transition, { status: 'dialing', stage: { name: 'dialing_customer' }, legs: [agent] });
  announceStart(transition, address);
  const { number, customer, limits, legs } = transition.call;
  if (connectedLegId !== undefined) {
    const leg = { id: connectedLegId, party: 'customer', direction: 'outbound', address: customer } as const;
    change(transition, { legs: [...legs, { ...leg, state: 'dialing' }] });
    return transition;
  }
  // An emergency call has no ring timer. It rings until it is answered, or until the longest call time is over.
  if (!isEmergencyNumber(customer)) dialParty(transition, 'customer', customer);
  else dial(transition, { party: 'customer', to: customer, shownAs: number, ringMs: limits.callMsMax });
  return transition;
}

function announceStart(transition: Transition, agent: string): void {
  const { number, customer, limits } = transition.call;
  log(transition, 'initiated', { from: number, to: customer, connect_to: agent });
  emit(transition, 'call.placed', null);
  setTimer(transition, 'longest', limits.callMsMax);
}

/** Handles a dialled party that rings. */
export function handlePartyRinging(transition: Transition, leg: Leg): void {
  startRinging(transition);
  log(transition, 'ringing', { party: leg.party });
}

/**
 * Handles a dialled party that answers. After the agent's answer the customer is dialled; after the customer's answer
 * both are joined.
 */
export function handlePartyAnswer(transition: Transition, leg: Leg): void {
  startRinging(transition);
  setLegState(transition, leg.id, 'up');
  log(transition, 'answered', { party: leg.party, answered_by: nameOfAnswerer(leg.address) });
  if (transition.call.stage.name === 'dialing_customer') {
    const { application, relay } = transition.call;
    if (relay !== undefined) talkByRelay(transition, relay);
    else if (application === undefined) join(transition, leg.address);
    else serveCustomer(transition, null);
    return;
  }
  change(transition, { stage: { name: 'dialing_customer' } });
  dialParty(transition, 'customer', transition.call.customer);
}

function startRinging(transition: Transition): void {
  if (transition.call.status === 'dialing') change(transition, { status: 'ringing' });
}
