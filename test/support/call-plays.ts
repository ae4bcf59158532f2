/** Plays the state machine of calls without a database. */
import assert from 'node:assert/strict';
import type { VoiceInstruction } from '../../src/carriers/ports/voice.ts';
import type { CallEventFields, CallEventType } from '../../src/domain/events/index.ts';
import { step } from '../../src/domain/voice/calls/machine/call-machine.ts';
import type { Call, TimerName } from '../../src/domain/voice/calls/state/call.ts';
import type { CallEffect, CallInput, Step } from '../../src/domain/voice/calls/state/call-step.ts';

/** The facts of a call between OWN and CUSTOMER. */
export const PLAYED_CALL = {
  id: 'call_00000000000000000000000001',
  recordingId: 'rec_1',
  voicemailRecordingId: 'rec_2',
  number: '+16025550100',
  customer: '+14805550111',
  limits: { ringMsMax: 30_000, callMsMax: 3_600_000 },
};

export const VOICEMAIL = { type: 'voicemail' as const, greeting_text: 'Please leave a message.', transcribe: true };

/** Plays a call input by input. `effects` has the effects of all steps. `feed` returns the effects of one step. */
export function play(begun: Step) {
  let call: Call = begun.call;
  const effects: CallEffect[] = [...begun.effects];
  const feed = (input: CallInput, nowMs = 1_000): CallEffect[] => {
    const next = step(call, input, nowMs);
    call = next.call;
    effects.push(...next.effects);
    return [...next.effects];
  };
  const leg = (address: string | undefined) =>
    call.legs.find((one) => one.address === address)?.id ?? assert.fail(address);
  const timer = (name: TimerName, fields: object = {}): CallInput => {
    return { type: 'timer', name, generation: call.timers[name] ?? -1, ...fields };
  };
  return { feed, leg, timer, effects, now: () => call };
}

export const commandsOf = (effects: readonly CallEffect[]): VoiceInstruction[] =>
  effects.flatMap((effect) => (effect.do === 'command' ? [effect.command] : []));
export const did = (effects: readonly CallEffect[]) => commandsOf(effects).map((command) => command.do);
/** Returns the types of the events that show the call. */
export const emitted = (effects: readonly CallEffect[]) =>
  effects.flatMap((effect) => (effect.do === 'emit' && effect.data === null ? [effect.type] : []));
/** Returns the data of the events of a type. */
export const dataOf = <T extends CallEventType>(effects: readonly CallEffect[], type: T) =>
  effects.flatMap((effect) =>
    effect.do === 'emit' && effect.type === type ? [effect.data as CallEventFields[T]] : [],
  );

type Cause = Extract<CallInput, { type: 'leg_ended' }>['cause'];

export const answered = (legId: string): CallInput => ({ type: 'leg_answered', legId });
export const ended = (legId: string, cause: Cause = 'hangup'): CallInput => ({ type: 'leg_ended', legId, cause });
