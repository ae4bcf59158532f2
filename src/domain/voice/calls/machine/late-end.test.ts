import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPEN } from '../../../../../test/support/front-desk-plays.ts';
import type { VoiceInstruction } from '../../../../carriers/ports/voice.ts';
import type { Call } from '../state/call.ts';
import type { CallEffect, CallInput } from '../state/call-step.ts';
import { step } from './call-machine.ts';
import { beginInbound } from './inbound.ts';
import { beginClickToCall } from './outbound.ts';

const start = {
  id: 'call_00000000000000000000000001',
  recordingId: 'rec_1',
  voicemailRecordingId: 'rec_2',
  number: '+16025550100',
  customer: '+14805550111',
  limits: { ringMsMax: 30_000, callMsMax: 3_600_000 },
};

/** Applies inputs, each at the given time. */
function play(begun: Call, inputs: readonly (readonly [number, CallInput])[]): { call: Call; effects: CallEffect[] } {
  const effects: CallEffect[] = [];
  let call = begun;
  for (const [nowMs, input] of inputs) {
    const next = step(call, input, nowMs);
    call = next.call;
    effects.push(...next.effects);
  }
  return { call, effects };
}

const legId = (n: number) => `leg_00000000000000000000000001_${n}`;
const answered = (n: number): CallInput => ({ type: 'leg_answered', legId: legId(n) });

/** A call with parties that are connected at 1 s. The end of its customer's leg is reported at `nowMs`. */
function talkUntil(nowMs: number, endedAtMs: number) {
  const asked = { ...start, agent: '+16025550120', record: false, announce: false, transcribe: false };
  return play(beginClickToCall(asked, 0).call, [
    [500, answered(1)],
    [1_000, answered(2)],
    [nowMs, { type: 'leg_ended', legId: legId(2), cause: 'hangup', endedAtMs }],
  ]);
}

test('a call whose end is reported late is billed until the moment that the carrier says', () => {
  const { call, effects } = talkUntil(125_000, 31_000);
  const metered = effects.flatMap((effect) => (effect.do === 'meter' ? [effect.durationMs] : []));
  assert.deepEqual([call.endedAtMs, metered], [31_000, [30_000]]);
});

test('a call ends neither before its parties were connected nor in the future, whatever the carrier says', () => {
  assert.equal(talkUntil(20_000, 500).call.endedAtMs, 1_000);
  assert.equal(talkUntil(20_000, 99_000).call.endedAtMs, 20_000);
});

/** A call whose greeting starts at 1 s, and whose tone starts at 10 s. */
function atTone() {
  const behavior = { type: 'voicemail', greeting_text: 'Please leave a message.', transcribe: false } as const;
  const recording = { enabled: false, consent_announcement: false };
  const begun = beginInbound({ ...start, legId: 'caller', route: OPEN, behavior, recording }, 0).call;
  const greeted = play(begun, [[1_000, { type: 'leg_answered', legId: 'caller' }]]);
  const { speechRef } = greeted.call.stage as { readonly speechRef: string };
  return play(greeted.call, [[10_000, { type: 'speech_ended', speechRef, completed: true }]]);
}

const callerEnded: CallInput = { type: 'leg_ended', legId: 'caller', cause: 'hangup', endedAtMs: 10_200 };

test('a caller who hung up at the tone has left no message, however late the report comes', () => {
  assert.equal(play(atTone().call, [[60_000, callerEnded]]).call.outcome, 'missed');
});

test('a message that is not recorded because the caller is gone ends with the report of that, not before', () => {
  const { call, effects } = atTone();
  const commands = effects.flatMap((effect) => (effect.do === 'command' ? [effect.command] : []));
  const command = commands.find((one) => one.do === 'start_recording') as VoiceInstruction;
  const refused = play(call, [[50_000, { type: 'command_failed', command, reason: 'leg_gone' }]]);
  assert.equal(refused.call.endedAtMs, null);
  assert.equal(play(refused.call, [[60_000, callerEnded]]).call.endedAtMs, 10_200);
});
