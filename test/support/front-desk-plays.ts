/** Calls of the front desk, played without a database. An application or an agent answers them, or they have menus. */
import type { CallBehavior } from '../../src/domain/numbers/index.ts';
import { step } from '../../src/domain/voice/calls/machine/call-machine.ts';
import { beginInbound } from '../../src/domain/voice/calls/machine/inbound.ts';
import { beginClickToCall } from '../../src/domain/voice/calls/machine/outbound.ts';
import type { CallEffect, CallInput } from '../../src/domain/voice/calls/state/call-step.ts';
import type { WantedTransfer } from '../../src/domain/voice/calls/state/call-transfer.ts';
import { answered, commandsOf, dataOf, PLAYED_CALL, play, VOICEMAIL } from './call-plays.ts';

export const AGENT = '+16025550120';
export const OTHER = '+16025550121';
export const { customer } = PLAYED_CALL;

export const ringOf = (targets: string[], fields: object = {}) =>
  ({
    type: 'ring',
    targets,
    strategy: 'simultaneous',
    timeout_seconds: 20,
    no_answer: VOICEMAIL,
    ...fields,
  }) as CallBehavior;
export const menuOf = (options: Record<string, CallBehavior>, fields: object = {}) =>
  ({
    type: 'menu',
    prompt: 'Press one.',
    options,
    timeout_seconds: 6,
    tries: 2,
    otherwise: VOICEMAIL,
    ...fields,
  }) as CallBehavior;

/** The route of a call that comes in during business hours. */
export const OPEN = { configId: 'rtc_1', branch: 'open' } as const;
const NO_RECORDING = { enabled: false, consent_announcement: true };
export const arrive = (behavior: CallBehavior, fields: object = {}) =>
  play(beginInbound({ ...PLAYED_CALL, legId: 'caller', route: OPEN, behavior, recording: NO_RECORDING, ...fields }, 0));

/** An inbound call whose caller is answered. */
export function arrived(behavior: CallBehavior, fields: object = {}) {
  const call = arrive(behavior, fields);
  call.feed(answered('caller'));
  return call;
}

const place = (fields: object = {}) =>
  play(
    beginClickToCall({ ...PLAYED_CALL, agent: AGENT, record: false, announce: true, transcribe: false, ...fields }, 0),
  );

/** A call of the application to a customer who has answered. */
export function served(fields: object = {}) {
  const call = place({ agent: 'application', ...fields });
  call.feed(answered(call.leg(customer)));
  return call;
}

/** An inbound call that an agent has answered. */
export function talking(fields: object = {}) {
  const call = arrive(ringOf([AGENT]), fields);
  call.feed(answered(call.leg(AGENT)));
  call.feed(answered('caller'));
  return call;
}

export type Played = ReturnType<typeof play>;

export const speak = (id: string, to: 'customer' | 'agent' | 'both' = 'customer'): CallInput => {
  return { type: 'speak', speech: { id, text: 'One moment.', to } };
};
export const spoken = (speechRef: string, completed = true): CallInput => ({
  type: 'speech_ended',
  speechRef,
  completed,
});
export const transfer = (fields: Partial<WantedTransfer> = {}): CallInput => ({
  type: 'transfer',
  transfer: { to: OTHER, announcement: null, ringMs: 25_000, onNoAnswer: 'return', voicemail: VOICEMAIL, ...fields },
  voicemail: VOICEMAIL,
  audioRef: null,
});
export const key = (digit: string, digitRef = digit): CallInput => ({
  type: 'digit',
  legId: 'caller',
  digit,
  digitRef,
});
export const refusalOf = (call: Played, input: CallInput) => step(call.now(), input, 1_000).refusal;
export const endings = (effects: readonly CallEffect[]) =>
  dataOf(effects, 'call.speech.ended').map(({ speech_id, completed }) => [speech_id, completed]);
/** Returns the progress of transfers: `started`, `completed`, or why a transfer failed. */
export const transfers = (effects: readonly CallEffect[]) =>
  effects.flatMap((effect) => {
    if (effect.do !== 'emit' || !effect.type.startsWith('call.transfer.')) return [];
    return [effect.type === 'call.transfer.failed' ? effect.data.reason : effect.type.split('.')[2]];
  });
export const speechRefOf = (effects: readonly CallEffect[]) =>
  commandsOf(effects).flatMap((command) => (command.do === 'speak' ? [command.speechRef] : []))[0] as string;
