/** How calls begin. */
import { isEmergencyNumber } from '../../../../lib/emergency.ts';
import type { RingBehavior, VoicemailBehavior } from '../../../numbers/index.ts';
import type { Call, Leg, Step } from '../call.ts';
import { planOf, ringTargets } from './inbound.ts';
import { change, dial, dialParty, log, setTimer, type Transition } from './transition.ts';

type Ids = Pick<Call, 'id' | 'recordingId' | 'voicemailRecordingId'>;

export type ClickToCall = Ids &
  Pick<Call, 'number' | 'customer' | 'limits'> & {
    readonly agent: string;
    readonly record: boolean;
    /** Whether a recording is announced to both sides. */
    readonly announce: boolean;
    readonly transcribe: boolean;
  };

/** A call from the tenant's number: the agent is dialled first. */
export function beginClickToCall(wanted: ClickToCall, nowMs: number): Step {
  const { agent, record, announce, transcribe } = wanted;
  const transition = blank('outbound', wanted, nowMs);
  change(transition, {
    status: 'dialing',
    stage: { name: 'dialing_agent' },
    recording: record ? { name: 'wanted', announce } : { name: 'off' },
    transcription: transcribe ? 'wanted' : 'off',
  });
  const { number, customer, limits } = transition.call;
  log(transition, 'initiated', { from: number, to: customer, connect_to: agent });
  setTimer(transition, 'longest', limits.callMsMax);
  dialParty(transition, 'agent', agent);
  return transition;
}

export type WebClientCall = Ids &
  Pick<Call, 'number' | 'customer' | 'limits'> & {
    /** The web client, and its leg as the carrier's books have it: up. */
    readonly webClient: string;
    readonly legId: string;
  };

/** A call that somebody makes from a web client: the web client is there already, and the customer is dialled. */
export function beginWebClientCall(wanted: WebClientCall, nowMs: number): Step {
  const { webClient, legId } = wanted;
  const transition = blank('outbound', wanted, nowMs);
  const agent: Leg = { id: legId, party: 'agent', direction: 'inbound', address: webClient, state: 'up' };
  change(transition, { status: 'dialing', stage: { name: 'dialing_customer' }, legs: [agent] });
  const { number, customer, limits } = transition.call;
  log(transition, 'initiated', { from: number, to: customer, connect_to: webClient });
  setTimer(transition, 'longest', limits.callMsMax);
  // Help is waited for as long as it takes.
  if (!isEmergencyNumber(customer)) dialParty(transition, 'customer', customer);
  else dial(transition, { party: 'customer', to: customer, shownAs: number, ringMs: limits.callMsMax });
  return transition;
}

export type Arrival = Ids &
  Pick<Call, 'number' | 'customer' | 'limits'> & {
    /** The caller's leg, as the carrier's adapter named it. */
    readonly legId: string;
    /** What the number's hours say, with targets that may be rung. */
    readonly behavior: RingBehavior | VoicemailBehavior;
    readonly recording: { readonly enabled: boolean; readonly consent_announcement: boolean };
  };

/** A call that has arrived and rings. */
export function beginInbound(arrival: Arrival, nowMs: number): Step {
  const { legId, behavior, recording, customer, number, limits } = arrival;
  const caller: Leg = { id: legId, party: 'customer', direction: 'inbound', address: customer, state: 'ringing' };
  const transition = blank('inbound', arrival, nowMs);
  change(transition, {
    status: 'ringing',
    legs: [caller],
    recording: recording.enabled ? { name: 'wanted', announce: recording.consent_announcement } : { name: 'off' },
  });
  log(transition, 'initiated', { from: customer, to: number });
  log(transition, 'ringing');
  transition.effects.push({ do: 'emit', event: 'call.started' });
  setTimer(transition, 'longest', limits.callMsMax);
  const noAnswer = behavior.type === 'ring' ? (behavior.no_answer ?? null) : behavior;
  const ring =
    behavior.type === 'ring' ? behavior : { targets: [], strategy: 'simultaneous' as const, timeout_seconds: 0 };
  ringTargets(transition, planOf(ring, noAnswer, limits));
  return transition;
}

function blank(
  direction: Call['direction'],
  given: Ids & Pick<Call, 'number' | 'customer' | 'limits'>,
  nowMs: number,
): Transition {
  const { id, recordingId, voicemailRecordingId, number, customer, limits } = given;
  const call: Call = {
    id,
    direction,
    number,
    customer,
    status: direction === 'outbound' ? 'dialing' : 'ringing',
    outcome: null,
    answeredBy: null,
    stage: { name: 'dialing_agent' },
    legs: [],
    recording: { name: 'off' },
    recordingId,
    voicemailRecordingId,
    voicemailKept: false,
    transcribesMessage: false,
    messageFromMs: null,
    bridged: false,
    gather: null,
    stream: null,
    transcription: 'off',
    transcribedFromMs: null,
    connectedAtMs: null,
    endedAtMs: null,
    timers: {},
    count: 0,
    keyRefs: [],
    limits,
  };
  return { call, effects: [], nowMs };
}
