/**
 * Signals digits that the agent has pressed, or that the API has sent, to the gateway that has the audio of the call.
 * The customer's digits come with the carrier's audio. A lost signal is not repeated: a stream's client misses the
 * digits. The event `call.dtmf` has the pressed digits.
 */
import type { Db, Signal } from '../../../db/database.ts';
import type { Call } from '../calls/state/call.ts';
import type { CallEffect } from '../calls/state/call-step.ts';

const TOPIC = 'agent-digits';

export type AgentDigits = { readonly callId: string; readonly digits: string };

/** Sends the digits of a call with a stream; within a transaction, after its commit. */
export function signalAgentDigits(
  db: Pick<Db, 'signal'>,
  { id: callId, stream }: Pick<Call, 'id' | 'stream'>,
  effects: readonly CallEffect[],
): void {
  if (stream === null) return;
  const digits = effects.map(digitsOf).join('');
  if (digits !== '') db.signal({ topic: TOPIC, payload: { callId, digits } satisfies AgentDigits });
}

function digitsOf(effect: CallEffect): string {
  if (effect.do === 'emit' && effect.type === 'call.dtmf') {
    return effect.data.pressed_by === 'agent' ? effect.data.digit : '';
  }
  const isSent = effect.do === 'log' && effect.type === 'dtmf' && effect.detail['sent'] === true;
  // The pauses (w) are not digits.
  return isSent ? String(effect.detail['digits']).replaceAll(/w/gi, '') : '';
}

/** Returns the digits that a signal reports, if it reports any. */
export function agentDigitsOf({ topic, payload }: Signal): AgentDigits | undefined {
  return topic === TOPIC ? (payload as AgentDigits) : undefined;
}
