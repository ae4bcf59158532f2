/**
 * Signals to the gateway with a call's audio: digits that the agent has pressed, or that the API has sent. The
 * customer's digits come with the carrier's audio. A lost signal is not repeated, so a stream's client misses its
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

/** Returns the digits in a signal; undefined for any other signal. */
export function agentDigitsOf({ topic, payload }: Signal): AgentDigits | undefined {
  return topic === TOPIC ? (payload as AgentDigits) : undefined;
}
