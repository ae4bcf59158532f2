/** The arrival of a call: the facts of its report, and its first state. */
import type { CallerProof } from '../../../../carriers/ports/voice.ts';
import type { CallBehavior } from '../../../numbers/index.ts';
import type { Leg } from '../state/call.ts';
import type { RefusedTarget } from '../state/queue-stage.ts';
import { type ArrivedRoute, startRoute } from './route.ts';
import { type CallStart, change, emit, log, setTimer, startTransition, type Transition } from './transition.ts';

export type Arrival = CallStart & {
  /** The caller's name; null if there is none. */
  readonly customerName?: string | null;
  /** The name of the tenant's contact with the caller's number; null if there is none. */
  readonly contactName?: string | null;
  /** The caller's leg, as the carrier's adapter named it. */
  readonly legId: string;
  /** The branch of the routing config for this hour. */
  readonly route: ArrivedRoute;
  /** The behavior of the number at this hour, with the targets that may be dialled. */
  readonly behavior: CallBehavior;
  readonly recording: { readonly enabled: boolean; readonly consent_announcement: boolean };
  /** The announcement that the caller must hear before any recording or agent starts. */
  readonly listeningAnnouncement?: string | null;
  /** The carrier's statement about the caller's number. */
  readonly caller?: CallerProof;
  /** Targets of the routing config that are not dialled. */
  readonly refused?: readonly RefusedTarget[];
  /** The hold audio of the routing config; null for the built-in pattern. */
  readonly holdAudioRef?: string | null;
};

/** Starts a call that rings. The steps of its behavior follow. */
export function startArrival(arrival: Arrival, nowMs: number): Transition {
  const { legId, recording, customer, number, limits, holdAudioRef = null, refused = [] } = arrival;
  const { listeningAnnouncement: text = null, customerName = null, contactName = null } = arrival;
  const caller: Leg = { id: legId, party: 'customer', direction: 'inbound', address: customer, state: 'ringing' };
  const transition = startTransition('inbound', arrival, nowMs);
  change(transition, {
    status: 'ringing',
    route: startRoute(arrival.route),
    legs: [caller],
    ...(customerName !== null && { customerName }),
    ...(contactName !== null && { contactName }),
    ...(refused.length > 0 && { refused }),
    ...(holdAudioRef !== null && { holdAudioRef }),
    recording: recording.enabled ? { name: 'wanted', announce: recording.consent_announcement } : { name: 'off' },
    ...(text !== null && { listening: { text, speechRef: null } }),
  });
  log(transition, 'initiated', { from: customer, to: number, ...arrival.caller });
  log(transition, 'ringing');
  emit(transition, 'call.started', null);
  setTimer(transition, 'longest', limits.callMsMax);
  return transition;
}
