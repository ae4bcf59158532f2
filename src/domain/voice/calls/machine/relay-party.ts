/** An agent of text as the party that talks to the customer. It answers at once and has no leg. */
import { derivedId } from '../../../../lib/ids.ts';
import { RELAY, type RelayBehavior, type RelaySettings } from '../../../numbers/index.ts';
import { closeStream, openRelay } from './streaming.ts';
import { join } from './talking.ts';
import { change, log, type Transition } from './transition.ts';

/** Lets an agent answer a call that a routing config sends to it. `path` are the keys that have led to it. */
export function serveByRelay(
  transition: Transition,
  { type: _, fallback, ...settings }: RelayBehavior,
  path: string,
): void {
  change(transition, { application: { isActive: true, plan: null, fallback: { behavior: fallback, path } } });
  connectAgent(transition, settings);
}

/** Lets an agent talk to the customer of an outbound call, who has answered. If the agent fails, the call fails. */
export function talkByRelay(transition: Transition, settings: RelaySettings): void {
  change(transition, { application: { isActive: true, plan: null } });
  connectAgent(transition, settings);
}

/** A media stream of the call ends, because the agent needs its audio. */
function connectAgent(transition: Transition, settings: RelaySettings): void {
  closeStream(transition, transition.call.stream?.id, { reason: 'api_request' });
  log(transition, 'answered', { answered_by: RELAY });
  change(transition, { count: transition.call.count + 1 });
  const relayId = derivedId('call_relay', transition.call.id, transition.call.count);
  openRelay(transition, { relayId, settings });
  join(transition, RELAY);
}
