/**
 * A relay: the stream whose client is an agent of text. When it ends and the application is the party, the application
 * has the customer again: it has some seconds to go on after a hand-over, and none after a failure.
 */
import type { Call } from '../call.ts';
import type { RelayEndReason } from '../call-relay.ts';
import { awaitApplication, silenceApplication } from './application.ts';
import { handleIdleApplication } from './inbound.ts';
import { change, type Transition } from './transition.ts';

/** Ends after which the platform goes on with the customer. */
const HANDED_OVER: ReadonlySet<RelayEndReason> = new Set(['agent_ended', 'api_request']);

/** Handles the end of a relay in this step, if one has ended: the customer is not left in silence. */
export function followRelayEnd(transition: Transition, { stream: before }: Call): void {
  const { call, effects } = transition;
  if (before?.isRelay !== true || call.stream?.id === before.id) return;
  const { application, stage, transfer } = call;
  if (application === undefined || stage.name !== 'talking' || transfer !== undefined) return;
  const ended = effects.find((effect) => effect.do === 'end_stream' && effect.streamId === before.id);
  const reason = ended?.do === 'end_stream' ? ended.relay?.reason : undefined;
  if (reason === undefined) return;
  if (HANDED_OVER.has(reason)) {
    change(transition, { application: { ...application, isActive: false } });
    awaitApplication(transition);
    return;
  }
  silenceApplication(transition, reason);
  handleIdleApplication(transition);
}
