import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { VoiceInstruction } from '../../ports/voice.ts';
import { MAGIC } from '../magic-numbers.ts';
import type { CallInput, Control, Facts, ScheduledAction, SimulatedCall, Step } from './call.ts';
import { newCall } from './call.ts';
import { beginInboundCall, step } from './call-machine.ts';
import { parseScript } from './machine/script.ts';
import { MESSAGE_TEXT } from './machine/voicemail.ts';

const AGENT = 'leg_agent';
const CUSTOMER = 'leg_customer';
const WEB_CLIENT = 'wcl_00000000000000000000000001';
const AT_MS = 1_800_000_000_000;
const begin = (fields: object = {}) =>
  beginInboundCall({
    callRef: 'call_1',
    legRef: CUSTOMER,
    from: '+14805550111',
    to: '+16025550100',
    script: null,
    ...fields,
  });

/** A call that takes inputs one after another. `ms` is the time since its beginning. */
function play(begun: Step | SimulatedCall = newCall('call_1')) {
  let call = 'effects' in begun ? begun.call : begun;
  const take = (input: CallInput, ms = 0) => {
    const made = step(call, input, new Date(AT_MS + ms));
    call = made.call;
    return made;
  };
  const command = (instruction: VoiceInstruction, ms = 0, facts: Facts = {}) =>
    take({ type: 'command', instruction, ...facts }, ms);
  const action = (due: ScheduledAction, ms = 0, facts: Facts = {}) =>
    take({ type: 'action', action: due, ref: `job:${due.do}`, ...facts }, ms);
  const control = (wanted: Control, ms = 0, facts: Facts = {}) =>
    take({ type: 'control', control: wanted, ...facts }, ms);
  return { take, command, action, control, now: () => call };
}

/** The effects of a step, in short: events by type, actions with their delay, cancelled names. */
function summary({ effects, refusal }: Step): string[] {
  if (refusal !== undefined) return [`refused: ${refusal}`];
  return effects.map((effect) => {
    if (effect.do === 'report') return effect.event.type;
    if (effect.do === 'plan') return `${effect.name} in ${effect.inMs}`;
    return effect.do === 'cancel' ? `not ${effect.name}` : `ask ${effect.legRef} to ${effect.request.do}`;
  });
}
const isNews = (one: string) => /^[a-z]+\.[a-z]+$/.test(one);
const eventsOf = (made: Step) => summary(made).filter(isNews);
const plansOf = (made: Step) => summary(made).filter((one) => one.includes(' in '));

const dial = (legRef: string, to: string, party: 'agent' | 'customer' = 'agent'): VoiceInstruction => {
  return { do: 'dial', legRef, party, to, from: '+16025550100', shownAs: '+16025550100', ringMs: 5_000 };
};

const webClient = (state: 'ringing' | 'up' | 'ended'): CallInput => {
  return { type: 'web_client', legRef: AGENT, change: { do: 'become', webClientId: WEB_CLIENT, state } };
};

function talking() {
  const call = play();
  for (const [legRef, to, party] of [
    [AGENT, '+16025550121', 'agent'],
    [CUSTOMER, '+14805550111', 'customer'],
  ] as const) {
    call.command(dial(legRef, to, party));
    call.action({ do: 'ring', legRef });
    call.action({ do: 'answer', legRef });
  }
  call.command({ do: 'bridge', legRefs: [AGENT, CUSTOMER] });
  return call;
}

describe('a dialled number', () => {
  for (const [name, address, expected] of [
    ['rings, and answers a second later', '+16025550121', ['leg.ringing', `answer:${AGENT} in 1000`]],
    ['that never answers only rings', MAGIC.neverAnswers, ['leg.ringing']],
  ] as const) {
    test(name, () => {
      const call = play();
      assert.deepEqual(summary(call.command(dial(AGENT, address))), [`ring:${AGENT} in 300`]);
      assert.deepEqual(summary(call.action({ do: 'ring', legRef: AGENT })), expected);
    });
  }

  test('that is no number is refused, and changes nothing', () => {
    const call = play();
    const before = call.now();
    assert.deepEqual(summary(call.command(dial(AGENT, 'sip:somewhere'))), ['refused: destination_refused']);
    assert.equal(call.now(), before);
  });

  test('is dialled once, and never after it was hung up', () => {
    const call = play();
    call.command(dial(AGENT, '+16025550121'));
    assert.deepEqual(summary(call.command(dial(AGENT, '+16025550121'))), []);
    call.command({ do: 'hang_up', legRef: 'leg_late', reason: 'no_answer' });
    assert.deepEqual(summary(call.command(dial('leg_late', '+16025550121'))), ['refused: leg_gone']);
  });

  test('rings before it answers, if it is answered by hand before its phone rings', () => {
    const call = play();
    call.command(dial(AGENT, '+16025550121'));
    const made = call.control({ do: 'answer', target: null });
    assert.deepEqual(summary(made), [`not ring:${AGENT}`, `not answer:${AGENT}`, 'leg.ringing', 'leg.answered']);
  });
});

describe("the leg of a web client, which is the product's,", () => {
  const rung = () => {
    const call = play(begin());
    call.command({ do: 'answer', legRef: CUSTOMER });
    assert.deepEqual(summary(call.take(webClient('ringing'))), []);
    return call;
  };

  test('changes with the product, and its changes are not reported', () => {
    const call = rung();
    assert.deepEqual(summary(call.take(webClient('up'), 1_000)), []);
    assert.deepEqual(eventsOf(call.command({ do: 'bridge', legRefs: [AGENT, CUSTOMER] }, 1_100)), ['legs.bridged']);
    const recording = { recordingRef: 'rec_1', legRefs: [AGENT], beep: false };
    call.command({ do: 'start_recording', ...recording }, 1_200);
    assert.deepEqual(summary(call.take(webClient('ended'), 2_000)).filter(isNews), ['recording.ended']);
    assert.deepEqual(call.now().legs.find(({ leg_ref }) => leg_ref === CUSTOMER)?.bridged_with, null);
    assert.deepEqual(summary(call.take(webClient('up'), 2_100)), []);
    assert.equal(call.now().legs.find(({ leg_ref }) => leg_ref === AGENT)?.state, 'ended');
  });

  for (const [name, control, request] of [
    ['answers', { do: 'answer', target: WEB_CLIENT }, { do: 'answer' }],
    ['declines', { do: 'hang_up', party: 'agent' }, { do: 'end', cause: 'rejected' }],
    [
      'does not answer for a message',
      { do: 'leave_message', text: 'Hi', durationMs: 1_000 },
      { do: 'end', cause: 'no_answer' },
    ],
  ] as const) {
    test(`${name} for a test by way of the product`, () => {
      const call = rung();
      const { effects } = call.control(control);
      assert.deepEqual(effects, [{ do: 'ask_web_client', legRef: AGENT, request }]);
      assert.equal(call.now().legs.find(({ leg_ref }) => leg_ref === AGENT)?.state, 'ringing');
    });
  }

  test('is heard when the person presses keys', () => {
    const call = rung();
    call.take(webClient('up'));
    const change = { do: 'press_digits', ref: 'keys', digits: '12' } as const;
    assert.deepEqual(summary(call.take({ type: 'web_client', legRef: AGENT, change })), []);
    assert.deepEqual(
      call.now().sounds.map(({ said_by, kind, content }) => [said_by, kind, content]),
      [[AGENT, 'digits', '12']],
    );
  });
});

describe('parties that talk', () => {
  test('hang up after 15 s, and each leg ends once', () => {
    const call = talking();
    assert.deepEqual(eventsOf(call.action({ do: 'hang_up', legRef: CUSTOMER }, 15_000)), ['leg.ended']);
    assert.deepEqual(summary(call.action({ do: 'hang_up', legRef: CUSTOMER }, 15_000)), []);
    assert.deepEqual(summary(call.command({ do: 'hang_up', legRef: CUSTOMER, reason: 'ended' }, 15_000)), []);
  });

  test('make at most 1,000 sounds; a request for more changes nothing', () => {
    const call = talking();
    const say = (n: number) =>
      call.control({ do: 'speak', party: 'customer', text: 'Hm', ref: `said ${n}` }, n, { spokenMs: 1 });
    while (call.now().sounds.length < 1_000) assert.equal(say(call.now().sounds.length).refusal, undefined);
    assert.deepEqual(summary(say(1_000)), ['refused: too_many_sounds']);
    const digits: VoiceInstruction = { do: 'send_digits', legRef: CUSTOMER, digits: '1' };
    assert.deepEqual(summary(call.command(digits, 1_001)), ['refused: too_many_sounds']);
    assert.equal(call.control({ do: 'hang_up', party: 'customer' }, 1_002).refusal, undefined);
  });

  test('stay while they listen, and while a stream has the audio', () => {
    const call = talking();
    const speech = {
      do: 'speak',
      speechRef: 's1',
      legRefs: [CUSTOMER],
      text: 'Hello',
      purpose: 'announcement',
    } as const;
    assert.deepEqual(plansOf(call.command(speech, 14_000, { spokenMs: 3_000 })), ['report_sound:s1 in 3000']);
    const later = call.action({ do: 'hang_up', legRef: CUSTOMER }, 15_000);
    assert.deepEqual(summary(later), [`hang_up:${CUSTOMER} in 4000`]);
    const track = { direction: 'fork', track: 'both' } as const;
    call.command({ do: 'start_stream', streamRef: 'stm_1', legRef: CUSTOMER, ...track }, 16_000);
    assert.deepEqual(summary(call.action({ do: 'hang_up', legRef: CUSTOMER }, 19_000)), [
      `hang_up:${CUSTOMER} in 281000`,
    ]);
    const freed = call.command({ do: 'stop_stream', streamRef: 'stm_1' }, 60_000);
    assert.deepEqual(summary(freed), [`hang_up:${CUSTOMER} in 2000`, 'stream.ended']);
  });

  test('say what they have waited to say, once they are bridged', () => {
    const call = play(begin());
    call.command({ do: 'answer', legRef: CUSTOMER });
    const waiting = { do: 'speak', party: 'customer', text: 'Hello', ref: 'said' } as const;
    assert.deepEqual(summary(call.control(waiting, 100, { spokenMs: 700 })), []);
    call.command(dial(AGENT, '+16025550121'));
    call.control({ do: 'answer', target: null });
    const bridged = call.command({ do: 'bridge', legRefs: [AGENT, CUSTOMER] }, 5_000);
    assert.deepEqual(plansOf(bridged), ['report_sound:said in 700', `hang_up:${CUSTOMER} in 15000`]);
    const reported = call.action({ do: 'report_sound', ref: 'said' }, 5_700);
    assert.deepEqual(eventsOf(reported), ['leg.utterance']);
    assert.deepEqual(eventsOf(call.action({ do: 'report_sound', ref: 'said' }, 5_700)), []);
  });

  test('report what the hang-up cuts off, then the end, then the recording', () => {
    const call = talking();
    call.command({ do: 'start_recording', recordingRef: 'rec_1', legRefs: [AGENT, CUSTOMER], beep: false }, 1_000);
    call.action({ do: 'small_talk', legRef: CUSTOMER, text: 'Well' }, 6_000, { spokenMs: 4_000 });
    assert.deepEqual(eventsOf(call.command({ do: 'hang_up', legRef: AGENT, reason: 'ended' }, 6_500)), ['leg.ended']);
    const ended = call.command({ do: 'hang_up', legRef: CUSTOMER, reason: 'ended' }, 7_000);
    assert.deepEqual(eventsOf(ended), ['leg.utterance', 'leg.ended', 'recording.ended']);
    const [sound] = call.now().sounds;
    assert.equal(sound?.duration_ms, 1_000);
  });

  test('make small talk only if no party has spoken', () => {
    const call = talking();
    call.control({ do: 'speak', party: 'agent', text: 'Hello', ref: 'said' }, 1_000, { spokenMs: 500 });
    const quiet = call.action({ do: 'small_talk', legRef: CUSTOMER, text: 'Well' }, 6_000, { spokenMs: 500 });
    assert.deepEqual(summary(quiet), []);
  });
});

describe('a gather', () => {
  const ask = (listenMs: number) => {
    return { do: 'speak', speechRef: 's1', legRefs: [CUSTOMER], text: 'Press', purpose: 'gather', listenMs } as const;
  };
  const pressed = 'press_digit:s1';
  for (const [listenMs, expected] of [
    [5_000, ['report_sound:s1 in 900', `${pressed} in 2400`]],
    [1_000, ['report_sound:s1 in 900']],
  ] as const) {
    test(`that listens ${listenMs} ms`, () => {
      assert.deepEqual(plansOf(talking().command(ask(listenMs), 0, { spokenMs: 900 })), expected);
    });
  }

  test('is answered by hand in place of the customer’s own digit', () => {
    const call = talking();
    call.command(ask(5_000), 0, { spokenMs: 900 });
    const made = call.control({ do: 'press_digits', party: 'customer', digits: '4w2', ref: 'hand' }, 500);
    assert.deepEqual(summary(made), [`not ${pressed}`, 'leg.digit', 'leg.digit']);
  });

  test('that is stopped cuts off its prompt, which is reported once', () => {
    const call = talking();
    call.command(ask(5_000), 0, { spokenMs: 900 });
    assert.deepEqual(eventsOf(call.command({ do: 'stop_gather', speechRef: 's1' }, 300)), ['speech.ended']);
    assert.deepEqual(eventsOf(call.action({ do: 'report_sound', ref: 's1' }, 900)), []);
  });
});

describe('a caller at a voicemail', () => {
  const atTone = (fields: object = {}) => {
    const call = play(begin(fields));
    call.command({ do: 'answer', legRef: CUSTOMER });
    const recording = { do: 'start_recording', recordingRef: 'rec_1', legRefs: [CUSTOMER], beep: true } as const;
    return { ...call, tone: call.command(recording, 1_000) };
  };
  const contentOf = (call: SimulatedCall) =>
    call.sounds.filter(({ said_by }) => said_by !== null).map((one) => one.content);

  test('leaves the usual message, which ends its recording where it stops', () => {
    const call = atTone();
    assert.deepEqual(contentOf(call.now()), [MESSAGE_TEXT]);
    const [recording] = call.now().recordings;
    const toneMs = (recording?.starts_at.getTime() ?? 0) - AT_MS - 1_000;
    assert.deepEqual(plansOf(call.tone), [`hang_up:${CUSTOMER} in ${toneMs + 3_000}`]);
    assert.deepEqual(eventsOf(call.action({ do: 'hang_up', legRef: CUSTOMER }, 9_000)), [
      'leg.ended',
      'recording.ended',
    ]);
    const [ended] = call.now().recordings;
    assert.equal((ended?.ended_at?.getTime() ?? 0) - (ended?.starts_at.getTime() ?? 0), 3_000);
  });

  test('follows its script instead, if that has steps for it', () => {
    assert.deepEqual(contentOf(atTone({ script: parseScript('say "Call me back"') }).now()), []);
  });

  test('leaves the message that a test asks for, and the targets stop ringing', () => {
    const call = play(begin());
    call.command(dial(AGENT, '+16025550121'));
    const asked = call.control({ do: 'leave_message', text: 'Later.', durationMs: 5_000 });
    assert.deepEqual(eventsOf(asked), ['leg.ended']);
    assert.deepEqual([call.now().message_text, call.now().message_ms], ['Later.', 5_000]);
  });
});

describe('a script', () => {
  const followed = (script: string, step: number, ms = 0) => {
    const call = play(begin({ script: parseScript(script) }));
    return call.action({ do: 'follow_script', step, attempt: 1, text: null }, ms, { spokenMs: 800 });
  };

  test('begins with the call, and carries the text that a step says', () => {
    const { effects } = begin({ script: parseScript('say "Hi", wait 1') });
    const action = { do: 'follow_script', step: 0, attempt: 1, text: 'Hi' };
    assert.deepEqual(effects.slice(1), [{ do: 'plan', name: 'script:0:1', inMs: 0, action }]);
  });

  for (const [name, script, expected] of [
    ['waits', 'wait 2.5, hangup', ['script:1:1 in 2500']],
    ['tries a step again that is not possible yet', 'answer', ['script:0:2 in 200']],
    ['says nothing before there is a listener', 'say "Hi"', ['script:0:2 in 200']],
  ] as const) {
    test(name, () => assert.deepEqual(summary(followed(script, 0)), expected));
  }
});

describe('controls', () => {
  const over = talking();
  for (const legRef of [AGENT, CUSTOMER]) over.command({ do: 'hang_up', legRef, reason: 'ended' }, 1_000);
  for (const control of [
    { do: 'answer', target: null },
    { do: 'hang_up', party: 'customer' },
    { do: 'press_digits', party: 'agent', digits: '1', ref: 'r' },
    { do: 'speak', party: 'agent', text: 'Hello', ref: 'r' },
    { do: 'leave_message', text: 'Hello', durationMs: 1_000 },
  ] as const) {
    test(`${control.do} is refused on a call that is over`, () => {
      assert.deepEqual(summary(over.control(control, 2_000)), ['refused: not_active']);
    });
  }
});
