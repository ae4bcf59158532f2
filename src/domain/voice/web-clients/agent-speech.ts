/**
 * Speeches to a web client. The carrier speaks to the customer; the gateway node that has the call's audio speaks to
 * the web client.
 */
import type { Context } from '../../../context.ts';
import type { Database } from '../../../db/database.ts';
import { stepCall } from '../calls/executor.ts';

const CHANNEL = 'web-client-speech';

export type AgentSpeech = {
  readonly ledgerId: number;
  readonly callId: string;
  /** The gateway node that has the call's audio. */
  readonly nodeId: string;
  readonly text: string;
  /** Names a speech to the web client alone, whose end the node reports. Otherwise the carrier reports it. */
  readonly speechRef?: string;
};

/** Asks the node to speak. A message that is lost is not repeated. */
export function sendAgentSpeech(bus: Context['bus'], speech: AgentSpeech): void {
  bus.publish(CHANNEL, JSON.stringify(speech));
}

/**
 * Handles the end of a speech to a web client alone. A report that is lost is not repeated: the call's timer of the
 * speech runs out.
 */
export async function endAgentSpeech(db: Database, { ledgerId, callId, speechRef }: AgentSpeech): Promise<void> {
  if (speechRef === undefined) return;
  const input = { type: 'speech_ended', speechRef, completed: true } as const;
  await db.transaction((tx) => stepCall(tx, { ledgerId }, callId, [input]));
}

/** Calls the listener with every speech to a web client. */
export function onAgentSpeech(bus: Context['bus'], listener: (speech: AgentSpeech) => void): void {
  bus.subscribe(CHANNEL, (payload) => listener(JSON.parse(payload) as AgentSpeech));
}
