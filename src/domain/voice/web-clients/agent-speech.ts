/**
 * Speeches to a web client. The carrier speaks to the customer; the gateway node that has the call's audio speaks to
 * the web client.
 */
import type { Context } from '../../../context.ts';

const CHANNEL = 'web-client-speech';

export type AgentSpeech = {
  readonly ledgerId: number;
  readonly callId: string;
  /** The gateway node that has the call's audio. */
  readonly nodeId: string;
  readonly text: string;
};

/** Asks the node to speak. A message that is lost is not repeated. */
export function sendAgentSpeech(bus: Context['bus'], speech: AgentSpeech): void {
  bus.publish(CHANNEL, JSON.stringify(speech));
}

/** Calls the listener with every speech to a web client. */
export function onAgentSpeech(bus: Context['bus'], listener: (speech: AgentSpeech) => void): void {
  bus.subscribe(CHANNEL, (payload) => listener(JSON.parse(payload) as AgentSpeech));
}
