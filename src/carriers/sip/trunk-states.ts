/**
 * The states of an engine's endpoints. A trunk is online while it answers OPTIONS, and a telephone while it is
 * registered.
 */
import { textAt } from '../../lib/json-object.ts';
import type { AriAnswer, EngineClient } from './ari-client.ts';
import { earlierEndpointOfTrunk, endpointOfTrunk } from './config/trunk-endpoints.ts';
import type { SipLine } from './sip-line.ts';

/** The states of an engine's endpoints by their names; or the engine's answer, if it has no states. */
type EndpointStates =
  | { readonly states: ReadonlyMap<string, string> }
  | { readonly states: undefined; readonly answer: AriAnswer };

/** Asks an engine for the states of its endpoints. */
export async function readEndpointStates(client: Pick<EngineClient, 'ask'>): Promise<EndpointStates> {
  const answer = await client.ask({ method: 'GET', path: '/endpoints/PJSIP' });
  if (answer.is !== 'answered' || !Array.isArray(answer.body)) return { states: undefined, answer };
  return {
    states: new Map(answer.body.map((state) => [textAt(state, 'resource') ?? '', textAt(state, 'state') ?? ''])),
  };
}

/** Updates the metrics with the trunks of an engine that answer. */
export function showTrunks(line: SipLine, client: EngineClient, states: ReadonlyMap<string, string>): void {
  for (const { name: trunk } of line.settings.trunks) {
    const state = states.get(endpointOfTrunk(line.settings, trunk)) ?? states.get(earlierEndpointOfTrunk(trunk));
    const isUp = state === 'online';
    line.metrics.sipTrunkUp.set({ connection: line.connectionId, engine: client.name, trunk }, Number(isUp));
  }
}

/** Removes the trunks of an engine from the metrics, because this process is no longer connected to the engine. */
export function hideTrunks(line: SipLine, { name: engine }: EngineClient): void {
  for (const { name: trunk } of line.settings.trunks) {
    line.metrics.sipTrunkUp.remove({ connection: line.connectionId, engine, trunk });
  }
}
