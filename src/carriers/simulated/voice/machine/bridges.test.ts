import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { powerAt, powerOf } from '../../../../../test/support/tone-power.ts';
import { encodeMulaw } from '../../../../audio/mulaw.ts';
import { samplesOf, silence } from '../../../../audio/pcm.ts';
import { sine } from '../../../../audio/tones.ts';
import type { VoiceInstruction } from '../../../ports/voice.ts';
import { type CallInput, findHold, findLeg, isHeardNow, newCall, newLeg, type SimulatedCall } from '../call.ts';
import { step } from '../call-machine.ts';
import { renderLegs, voicesOf } from '../sounds.ts';
import { parseScript } from './script.ts';

const AT_MS = 1_800_000_000_000;
const at = (ms: number) => new Date(AT_MS + ms);

/** A customer and two agents, all answered. */
function play(fields: Partial<SimulatedCall> = {}) {
  const up = { state: 'up', dialled: true, answered_at: at(0) } as const;
  const legs = [
    newLeg({ leg_ref: 'customer', party: 'customer', address: '+14805550111', ...up, dialled: false }),
    newLeg({ leg_ref: 'first', party: 'agent', address: '+16025550121', ...up }),
    newLeg({ leg_ref: 'second', party: 'agent', address: '+16025550122', ...up }),
  ];
  let call: SimulatedCall = { ...newCall('call_1'), legs, ...fields };
  const take = (input: CallInput, ms = 0) => {
    const made = step(call, input, at(ms));
    call = made.call;
    return made;
  };
  const command = (instruction: VoiceInstruction, ms = 0, spokenMs = 0) =>
    take({ type: 'command', instruction, spokenMs }, ms);
  const bridge = (legRef: string, ms = 0) => command({ do: 'bridge', legRefs: [legRef, 'customer'] }, ms);
  const hear = () => call.legs.filter(isHeardNow).map(({ leg_ref, heard }) => `${heard.at(-1)?.by} hears ${leg_ref}`);
  return { take, command, bridge, hear, now: () => call, leg: (ref: string) => findLeg(call, ref) ?? assert.fail(ref) };
}

describe('hold', () => {
  test('parts the legs of a bridge until resume, and a repeat changes nothing', () => {
    const call = play();
    call.bridge('first');
    const joined = ['first hears customer', 'customer hears first'];
    assert.deepEqual(call.hear(), joined);
    const hold = { do: 'hold', legRef: 'customer', audioRef: 'music' } as const;
    call.command(hold, 1_000);
    const held = call.now();
    call.command({ ...hold, audioRef: null }, 2_000);
    assert.equal(call.now(), held);
    assert.deepEqual(call.hear(), []);
    assert.equal(findHold(call.leg('customer'))?.audio_ref, 'music');
    call.command({ do: 'resume', legRef: 'customer' }, 3_000);
    assert.deepEqual(call.hear(), joined);
    assert.deepEqual(call.leg('customer').holds, [{ audio_ref: 'music', from: at(1_000), until: at(3_000) }]);
    assert.equal(call.command({ do: 'resume', legRef: 'customer' }).refusal, undefined, 'one that is not held');
  });

  test('is refused for a leg that has ended', () => {
    const call = play();
    call.command({ do: 'hang_up', legRef: 'customer', reason: 'ended' });
    for (const name of ['hold', 'resume'] as const) {
      const { refusal } = call.command({ do: name, legRef: 'customer', audioRef: null });
      assert.equal(refusal, 'leg_gone', name);
    }
  });

  test('of both legs ends for both before they hear each other', () => {
    const call = play();
    call.bridge('first');
    for (const legRef of ['first', 'customer']) call.command({ do: 'hold', legRef, audioRef: null });
    call.command({ do: 'resume', legRef: 'first' });
    assert.deepEqual(call.hear(), []);
    call.command({ do: 'resume', legRef: 'customer' });
    assert.equal(call.hear().length, 2);
  });

  test('keeps the customer on the line', () => {
    const call = play();
    call.bridge('first');
    call.command({ do: 'hold', legRef: 'customer', audioRef: null }, 1_000);
    const leave = { type: 'action', action: { do: 'hang_up', legRef: 'customer' }, ref: 'job' } as const;
    call.take(leave, 16_000);
    assert.equal(call.leg('customer').state, 'up');
    call.command({ do: 'resume', legRef: 'customer' }, 17_000);
    call.take(leave, 18_000);
    assert.equal(call.leg('customer').state, 'ended');
  });
});

describe('a second bridge', () => {
  test('takes the customer out of the first one, and ends the hold', () => {
    const call = play();
    call.bridge('first');
    call.command({ do: 'hold', legRef: 'customer', audioRef: null }, 1_000);
    const { effects } = call.bridge('second', 2_000);
    assert.deepEqual(call.hear(), ['second hears customer', 'customer hears second']);
    assert.equal(call.leg('first').bridged_with, null);
    assert.equal(findHold(call.leg('customer')), undefined);
    const reported = effects.flatMap((effect) => (effect.do === 'report' ? [effect.event.type] : []));
    assert.deepEqual(reported, ['legs.bridged']);
    call.command({ do: 'hang_up', legRef: 'first', reason: 'ended' });
    assert.equal(call.hear().length, 2, 'the end of the first agent changes nothing');
  });

  test('is of the agent that speaks and presses keys from then on', () => {
    const call = play();
    call.bridge('first');
    call.bridge('second', 1_000);
    call.take({ type: 'control', control: { do: 'press_digits', party: 'agent', digits: '1', ref: 'x' } }, 2_000);
    assert.equal(call.now().sounds.at(-1)?.said_by, 'second');
  });
});

describe('an application that is the party', () => {
  const STREAM = { do: 'start_stream', streamRef: 's', legRef: 'customer', direction: 'fork', track: 'both' } as const;
  for (const [name, instruction] of [
    ['streamed', STREAM],
    ['transcribed', { do: 'start_transcription', legRefs: ['customer'] }],
    ['recorded', { do: 'start_recording', recordingRef: 'r', legRefs: ['customer'], beep: false }],
  ] as const) {
    test(`hears what a customer alone has said, once the customer is ${name}`, () => {
      const call = play();
      const speak = { do: 'speak', party: 'customer', text: 'Biscuit', ref: 'said' } as const;
      for (const legRef of ['first', 'second']) call.command({ do: 'hang_up', legRef, reason: 'ended' });
      call.take({ type: 'control', control: speak, spokenMs: 500 });
      call.command(instruction, 1_000);
      assert.deepEqual(call.now().sounds.find(({ ref }) => ref === 'said')?.starts_at, at(1_000));
    });
  }

  test('does not hear a customer who is not alone', () => {
    const call = play();
    call.command(STREAM);
    assert.equal(call.leg('customer').heard_from, null);
  });
});

test('a caller whose script presses a key does so as soon as it is asked', () => {
  const call = play({ script: parseScript('press 3') });
  for (const legRef of ['first', 'second']) call.command({ do: 'hang_up', legRef, reason: 'ended' });
  const follow = () =>
    call.take({
      type: 'action',
      ref: 'job',
      action: { do: 'follow_script', step: 0, attempt: 1, text: null },
    });
  assert.ok(!follow().effects.some((effect) => effect.do === 'report'));
  const ask = { do: 'speak', speechRef: 'menu', legRefs: ['customer'], text: 'Press 3', purpose: 'gather' } as const;
  call.command(ask, 0, 4_000);
  const pressed = follow().effects.flatMap((effect) => (effect.do === 'report' ? [effect.event] : []));
  assert.deepEqual(
    pressed.map((event) => event.type === 'leg.digit' && event.digit),
    ['3'],
  );
  call.command({ do: 'stop_gather', speechRef: 'menu' });
  assert.equal(call.leg('customer').gather_ref, null);
});

test('the script of a call has targets that a transfer rings decline, or be busy', () => {
  for (const [script, cause] of [
    ['busy', 'busy'],
    ['decline', 'rejected'],
  ] as const) {
    const call = play({ script: parseScript(script) });
    call.command({ do: 'hang_up', legRef: 'second', reason: 'ended' });
    call.bridge('first');
    const follow = () =>
      call.take({ type: 'action', ref: 'job', action: { do: 'follow_script', step: 0, attempt: 1, text: null } });
    follow();
    assert.equal(call.leg('first').state, 'up', 'the agent on the call is no target');
    const [to, from] = ['+16025550123', '+16025550100'];
    call.command({ do: 'dial', legRef: 'third', party: 'agent', to, from, shownAs: from, ringMs: 5_000 });
    const ended = follow().effects.flatMap((effect) => (effect.do === 'report' ? [effect.event] : []));
    assert.deepEqual(
      ended.map((event) => event.type === 'leg.ended' && [event.legRef, event.cause]),
      [['third', cause]],
    );
  }
});

test('a test hangs up one agent of several', () => {
  const call = play();
  call.take({ type: 'control', control: { do: 'hang_up', party: 'agent', target: '+16025550122' } });
  assert.deepEqual(
    call.now().legs.map(({ state }) => state),
    ['up', 'up', 'ended'],
  );
});

describe('the recording of a call', () => {
  const HZ = { hold: 1_500, customer: 440, agent: 620 } as const;
  const makers = {
    synthesize: async () => silence(0),
    readHoldAudio: async (ref: string) =>
      ref === 'music' ? encodeMulaw(sine({ frequencyHz: HZ.hold, samples: samplesOf(1_000) })) : undefined,
  };
  /** Returns the tones that are audible in a second of the recording. */
  const heardIn = async ({ legs }: SimulatedCall, second: number): Promise<string[]> => {
    const refs = ['customer', 'first'];
    const recorded = { legs: legs.filter(({ leg_ref }) => refs.includes(leg_ref)), voices: voicesOf(legs, refs) };
    const pcm = await renderLegs(makers, { ...recorded, sounds: [] }, { startsAt: at(0), endsAt: at(10_000) });
    const window = { start: samplesOf(second * 1_000 + 50), length: samplesOf(400) };
    return Object.entries(HZ).flatMap(([name, hz]) =>
      powerAt(pcm, hz, window) > 0.1 * powerOf(pcm, window) ? [name] : [],
    );
  };

  test('has what the customer says and hears: hold audio instead of the agent, and then the next agent', async () => {
    const call = play();
    call.bridge('first');
    call.command({ do: 'hold', legRef: 'customer', audioRef: 'music' }, 2_000);
    call.command({ do: 'hang_up', legRef: 'first', reason: 'ended' }, 4_000);
    assert.deepEqual(await heardIn(call.now(), 1), ['customer', 'agent']);
    assert.deepEqual(await heardIn(call.now(), 3), ['hold', 'customer']);
    call.bridge('second', 6_000);
    assert.deepEqual(await heardIn(call.now(), 5), ['hold', 'customer']);
    assert.deepEqual(await heardIn(call.now(), 7), ['customer', 'agent']);
  });
});
