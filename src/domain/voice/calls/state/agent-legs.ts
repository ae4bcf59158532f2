/**
 * The effects of a step on agents of queues. An agent's legs count on calls of any kind, not only on calls of a queue.
 */
import { inputOf } from '../../../../db/input.ts';
import type { Leg } from './call.ts';

type AgentLegState = 'ringing' | 'up' | 'talked' | 'declined' | 'missed';

export type AgentLeg = { readonly legId: string; readonly agent: string; readonly state: AgentLegState };

/** Returns the legs whose `AgentLegState` a step changes. The statement finds the agents of the legs. */
export function agentLegsOf(before: readonly Leg[], after: readonly Leg[]): AgentLeg[] {
  if (before === after) return [];
  const known = new Map(before.map((leg) => [leg.id, leg]));
  return after.flatMap((leg) => {
    const earlier = known.get(leg.id);
    const state = stateOf(leg, earlier);
    const isSame = earlier !== undefined && (earlier.state === leg.state || state === openState(earlier));
    return isSame ? [] : [{ legId: leg.id, agent: leg.address, state }];
  });
}

function openState({ state }: Leg): AgentLegState {
  return state === 'up' ? 'up' : 'ringing';
}

/**
 * Returns the state of an agent's leg. A leg that the product hangs up keeps its state until it ends. At its end it is
 * missed, unless its agent has talked.
 */
function stateOf(leg: Leg, earlier: Leg | undefined): AgentLegState {
  if (leg.state === 'ending' && earlier !== undefined) return openState(earlier);
  if (leg.state !== 'ended') return openState(leg);
  if (earlier?.state === 'up') return 'talked';
  const isDeclined = leg.direction === 'outbound' && (earlier?.state === 'dialing' || earlier?.state === 'ringing');
  return isDeclined ? 'declined' : 'missed';
}

export const AGENT_LEGS_INPUT = inputOf<AgentLeg>('agent_legs', {
  leg_id: ['text', ({ legId }) => legId],
  agent: ['text', ({ agent }) => agent],
  state: ['text', ({ state }) => state],
});
