/**
 * A relay: a stream whose client is an agent that reads and writes text. When a relay of an application ends, the
 * application controls the call again. After a hand-over it has some seconds for its next command; after a failure it
 * has none. During a transfer the customer hears hold audio, and the application controls the call after the transfer.
 */
import type { Call } from '../state/call.ts';
import type { RelayEndReason } from '../state/call-relay.ts';
import { awaitApplication, silenceApplication } from './application.ts';
import { handleIdleApplication } from './inbound.ts';
import { change, type Transition } from './transition.ts';

/** End reasons that return the customer to the platform. */
const HANDED_OVER: ReadonlySet<RelayEndReason> = new Set(['agent_ended', 'api_request']);

/**
 * Handles the end of a relay in this step, so that the customer is not left in silence. Also handles the return of a
 * customer from a transfer, if the relay ended before or during the transfer.
 */
export function followRelayEnd(transition: Transition, before: Call): void {
  const ended = endIn(transition, before);
  if (ended !== undefined) noteEnd(transition, ended);
  const { application, stage, transfer, stream } = transition.call;
  if (application === undefined || stage.name !== 'talking' || transfer !== undefined) return;
  const { relayEnd } = application;
  const hasReturned = before.transfer !== undefined && stream === null;
  if (relayEnd === undefined || (ended === undefined && !hasReturned)) return;
  if (HANDED_OVER.has(relayEnd)) {
    change(transition, { application: { ...application, isActive: false } });
    awaitApplication(transition);
    return;
  }
  silenceApplication(transition, relayEnd);
  handleIdleApplication(transition);
}

/** Returns why a relay ended in this step; undefined if no relay ended. */
function endIn({ call, effects }: Transition, { stream: before }: Call): RelayEndReason | undefined {
  if (before?.isRelay !== true || call.stream?.id === before.id) return undefined;
  const ended = effects.find((effect) => effect.do === 'end_stream' && effect.streamId === before.id);
  return ended?.do === 'end_stream' ? ended.relay?.reason : undefined;
}

function noteEnd(transition: Transition, relayEnd: RelayEndReason): void {
  const { application } = transition.call;
  if (application !== undefined) change(transition, { application: { ...application, relayEnd } });
}
