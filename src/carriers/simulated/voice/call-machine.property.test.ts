import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkProperty } from '../../../../test/support/property.ts';
import type { VoiceEvent, VoiceInstruction } from '../../ports/voice.ts';
import type { CallEffect, CallInput, Control, ScheduledAction, SimulatedCall, Step } from './call.ts';
import { beginInboundCall, step } from './call-machine.ts';
import { parseScript } from './machine/script.ts';

const RUNS = 3_000;
const STEPS_MAX = 100;
/** The most actions from the last command until no action is planned. A scripted wait is tried every 0.2 s. */
const ACTIONS_MAX = 10_000;

const WEB_CLIENT = 'wcl_00000000000000000000000001';
const LEGS = ['leg_caller', 'leg_1', 'leg_2', 'leg_web', 'leg_none'] as const;
const SCRIPTS = [null, 'ring 1, answer, say "Hello", press 12, wait 2, hangup', 'decline, say "Call me back"'] as const;

type Choice = { kind: number; pick: number; forMs: number };
const choices = fc.array(fc.record({ kind: fc.nat(24), pick: fc.nat(60), forMs: fc.nat(9_000) }), {
  minLength: 20,
  maxLength: STEPS_MAX,
});

/** A call with its clock and its scheduled actions. Checks every step against the earlier reports. */
function simulate(begun: Step) {
  let { call } = begun;
  let nowMs = 1_800_000_000_000;
  const planned = new Map<string, { atMs: number; action: ScheduledAction }>();
  const events: VoiceEvent[] = [];

  const apply = (effects: readonly CallEffect[]) => {
    for (const effect of effects) {
      if (effect.do === 'report') checkEvent(events, effect.event);
      if (effect.do === 'report') events.push(effect.event);
      if (effect.do === 'plan') planned.set(effect.name, { atMs: nowMs + effect.inMs, action: effect.action });
      if (effect.do === 'cancel') planned.delete(effect.name);
      if (effect.do === 'ask_web_client') change(effect.legRef, effect.request.do === 'answer' ? 'up' : 'ended');
    }
  };
  /** Answers requests as the product does. */
  const change = (legRef: string, state: 'up' | 'ended') =>
    take({ type: 'web_client', legRef, change: { do: 'become', webClientId: WEB_CLIENT, state } });
  const take = (input: CallInput) => {
    freeze(call);
    const made = step(call, input, new Date(nowMs));
    if (made.refusal !== undefined) assert.deepEqual([made.call === call, made.effects], [true, []]);
    call = made.call;
    apply(made.effects);
  };
  /** Carries out the action that is due next. */
  const runNext = () => {
    const [next] = [...planned].sort((a, b) => a[1].atMs - b[1].atMs);
    if (next === undefined) return false;
    const [name, { atMs, action }] = next;
    planned.delete(name);
    nowMs = Math.max(nowMs, atMs);
    take({ type: 'action', action, ref: `${name}:${nowMs}`, spokenMs: 1_200 });
    return true;
  };
  apply(begun.effects);
  return { take, runNext, events, pass: (ms: number) => (nowMs += ms), now: () => call };
}

function freeze(call: SimulatedCall): void {
  for (const rows of [call.legs, call.sounds, call.recordings]) {
    Object.freeze(rows);
    for (const row of rows) Object.freeze(row);
  }
  Object.freeze(call);
}

/** Fails for an event that cannot follow the events before it. */
function checkEvent(before: readonly VoiceEvent[], event: VoiceEvent): void {
  if ('legRef' in event) {
    const isEnd = (one: VoiceEvent) => one.type === 'leg.ended' && one.legRef === event.legRef;
    assert.ok(!before.some(isEnd), `${event.type} after the end of ${event.legRef}`);
  }
  const isSame = (one: VoiceEvent) => {
    if (one.type !== event.type) return false;
    if (event.type === 'speech.ended') return 'speechRef' in one && one.speechRef === event.speechRef;
    if (event.type === 'recording.ended') return 'recordingRef' in one && one.recordingRef === event.recordingRef;
    return event.type === 'leg.utterance' && 'utteranceRef' in one && one.utteranceRef === event.utteranceRef;
  };
  assert.ok(!before.some(isSame), `${event.type} is reported twice`);
}

const become = (state: 'ringing' | 'up' | 'ended'): CallInput => {
  return { type: 'web_client', legRef: 'leg_web', change: { do: 'become', webClientId: WEB_CLIENT, state } };
};

function inputFor(call: SimulatedCall, { kind, pick, forMs: spokenMs }: Choice): CallInput {
  const legRef = LEGS[pick % LEGS.length] as string;
  const speechRef = `speech_${pick % 6}`;
  const party = pick % 2 === 0 ? 'customer' : 'agent';
  const ref = `hand_${kind}_${pick}_${spokenMs}_${call.sounds.length}`;
  const command = (instruction: VoiceInstruction): CallInput => ({ type: 'command', instruction, spokenMs });
  const control = (wanted: Control): CallInput => ({ type: 'control', control: wanted, spokenMs });
  switch (kind) {
    case 0:
    case 1: {
      if (pick % 3 === 0) return become('ringing');
      const [leg, to] = [`leg_${(pick % 2) + 1}`, `+1602555012${pick % 2}`];
      const from = { from: '+16025550100', shownAs: '+16025550100', ringMs: 5_000 };
      return command({ do: 'dial', legRef: leg, party: 'agent', to, ...from });
    }
    case 2:
      return command({ do: 'answer', legRef: 'leg_caller' });
    case 3:
      return command({ do: 'hang_up', legRef, reason: 'ended' });
    case 4:
    case 5:
      return command({ do: 'bridge', legRefs: ['leg_caller', `leg_${(pick % 2) + 1}`] });
    case 6:
    case 7: {
      const purpose = pick % 2 === 0 ? 'gather' : 'announcement';
      return command({
        do: 'speak',
        speechRef: `${speechRef}_${ref}`,
        legRefs: [legRef, 'leg_caller'],
        text: 'Hi',
        purpose,
      });
    }
    case 8:
    case 9: {
      const speeches = call.sounds.filter(({ said_by, kind }) => said_by === null && kind === 'speech');
      const named = speeches[pick % Math.max(1, speeches.length)]?.ref ?? speechRef;
      return command({ do: kind === 8 ? 'stop_speech' : 'stop_gather', speechRef: named });
    }
    case 10:
      return command({ do: 'send_digits', legRef, digits: '12w3' });
    case 11:
      return command({
        do: 'start_recording',
        recordingRef: `rec_${pick}`,
        legRefs: ['leg_caller'],
        beep: pick % 2 === 0,
      });
    case 12:
      return command({ do: 'stop_recording', recordingRef: `rec_${pick}` });
    case 13:
      return command({ do: 'start_transcription', legRefs: ['leg_caller', 'leg_1'] });
    case 14: {
      const rest = { direction: 'fork', track: 'both' } as const;
      return command({ do: 'start_stream', streamRef: 'stm_1', legRef: 'leg_caller', ...rest });
    }
    case 15:
      return command({ do: 'stop_stream', streamRef: 'stm_1' });
    case 16:
      return control({ do: 'answer', target: null });
    case 17:
      return pick > 40 ? control({ do: 'hang_up', party }) : control({ do: 'press_digits', party, digits: '7', ref });
    case 18:
    case 19:
      return control({ do: 'speak', party, text: 'Hello', ref });
    case 20:
      return control({ do: 'leave_message', text: 'Later.', durationMs: spokenMs });
    case 21:
      return become(pick > 50 ? 'ended' : 'up');
    case 22:
      return control({ do: 'take_over', address: `+1602555012${pick % 2}` });
    default:
      return { type: 'web_client', legRef: 'leg_web', change: { do: 'press_digits', digits: '5', ref } };
  }
}

test('whatever happens in whatever order: each leg ends once, reports nothing after its end, and leaves nothing behind', () => {
  const script = fc.constantFrom(...SCRIPTS);
  checkProperty(
    fc.property(script, choices, fc.array(fc.boolean(), { maxLength: STEPS_MAX }), (text, chosen, due) => {
      const ids = { callRef: 'call_1', legRef: 'leg_caller', from: '+14805550111', to: '+16025550100' };
      const simulated = simulate(beginInboundCall({ ...ids, script: text === null ? null : parseScript(text) }));
      for (const [index, choice] of chosen.entries()) {
        if (due[index] === true) simulated.runNext();
        else simulated.pass(choice.forMs % 700);
        simulated.take(inputFor(simulated.now(), choice));
      }
      for (const { leg_ref: legRef } of simulated.now().legs) {
        simulated.take({ type: 'command', instruction: { do: 'hang_up', legRef, reason: 'ended' } });
      }
      let actions = 0;
      while (simulated.runNext()) assert.ok(++actions < ACTIONS_MAX, 'the call does not come to rest');
      const { legs, recordings } = simulated.now();
      assert.ok(
        legs.every(({ state }) => state === 'ended'),
        'a leg has not ended',
      );
      assert.ok(
        recordings.every(({ ended_at }) => ended_at !== null),
        'a recording has not ended',
      );
      const ends = simulated.events.filter(({ type }) => type === 'leg.ended').length;
      assert.equal(ends, legs.filter(({ address }) => address.startsWith('+')).length, 'an end was not reported');
    }),
    { runs: RUNS },
  );
});
