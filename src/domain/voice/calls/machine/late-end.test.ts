import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call, CallEffect, CallInput } from '../call.ts';
import { step } from '../call-machine.ts';
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

/** Applies inputs, each at its time. */
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

/** A call whose parties are connected at 1 s, and whose customer's end is reported at `nowMs`. */
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

test('a caller who hung up at the tone has left no message, however late the report comes', () => {
  const behavior = { type: 'voicemail', greeting_text: 'Please leave a message.', transcribe: false } as const;
  const recording = { enabled: false, consent_announcement: false };
  const begun = beginInbound({ ...start, legId: 'caller', behavior, recording }, 0).call;
  const greeted = play(begun, [
    [0, { type: 'timer', name: 'ring', generation: begun.timers.ring as number, undispatched: [] }],
    [1_000, { type: 'leg_answered', legId: 'caller' }],
  ]);
  const speechRef = (greeted.call.stage as { readonly speechRef: string }).speechRef;
  const { call } = play(greeted.call, [
    [10_000, { type: 'speech_ended', speechRef, completed: true }],
    [60_000, { type: 'leg_ended', legId: 'caller', cause: 'hangup', endedAtMs: 10_200 }],
  ]);
  assert.equal(call.outcome, 'missed');
});
