import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answered, commandsOf, did, ended } from '../../../../../test/support/call-plays.ts';
import { AGENT, arrive, OTHER, ringOf } from '../../../../../test/support/front-desk-plays.ts';

const WEB_CLIENT = 'wcl_01jd5h0s4mp1e0000000000000';
const rings = (targets: string[], fields: object = {}) => arrive(ringOf(targets, { confirm: true, ...fields }));
type Rung = ReturnType<typeof rings>;
const presses = (call: Rung, target: string, digit: string) =>
  call.feed({ type: 'digit', legId: call.leg(target), digit, digitRef: `${target} ${digit}` });

describe('a target that has to press 1', () => {
  test('hears a prompt, and gets the call with the key: then the caller is answered', () => {
    const call = rings([AGENT, OTHER]);
    const [prompt, ...more] = commandsOf(call.feed(answered(call.leg(AGENT))));
    assert.ok(prompt?.do === 'speak' && prompt.purpose === 'gather');
    assert.deepEqual([prompt.legRefs, more], [[call.leg(AGENT)], []]);
    assert.equal(call.now().stage.name, 'ringing_targets');
    assert.deepEqual(did(presses(call, AGENT, '5')), [], 'another key is not the key');
    assert.deepEqual(did(presses(call, AGENT, '1')), ['stop_speech', 'answer']);
    const joined = commandsOf(call.feed(answered('caller')));
    assert.ok(joined[0]?.do === 'bridge' && joined[0].legRefs.includes(call.leg(AGENT)));
    assert.ok(joined.some((one) => one.do === 'hang_up' && one.legRef === call.leg(OTHER)));
  });

  test('lets the others ring on, of whom the first to press the key gets the call', () => {
    const call = rings([AGENT, OTHER]);
    call.feed(answered(call.leg(AGENT)));
    call.feed(answered(call.leg(OTHER)));
    presses(call, OTHER, '1');
    const joined = commandsOf(call.feed(answered('caller')));
    assert.ok(joined[0]?.do === 'bridge' && joined[0].legRefs.includes(call.leg(OTHER)));
    assert.deepEqual(did(presses(call, AGENT, '1')), [], 'too late');
    assert.equal(call.now().answeredBy, OTHER);
  });

  test('is hung up if it does not, such as a voicemail box, and the next one is rung', () => {
    const call = rings([AGENT, OTHER], { strategy: 'sequential' });
    call.feed(answered(call.leg(AGENT)));
    const left = call.feed(call.timer('confirm'), 60_000);
    assert.deepEqual(did(left), ['hang_up', 'dial']);
    call.feed(answered(call.leg(OTHER)), 61_000);
    assert.deepEqual(
      did(call.feed(call.timer('confirm'), 120_000)),
      ['hang_up', 'answer'],
      'then the voicemail of the config',
    );
  });

  test('may still press the key when the ring time of the others is over', () => {
    const call = rings([AGENT, OTHER]);
    call.feed(answered(call.leg(AGENT)));
    const over = commandsOf(call.feed(call.timer('ring'), 20_000));
    assert.deepEqual(over, [{ do: 'hang_up', legRef: call.leg(OTHER), reason: 'no_answer' }]);
    assert.deepEqual(did(presses(call, AGENT, '1')), ['stop_speech', 'answer']);
  });

  test('that hangs up leaves the call to the others, or to the voicemail', () => {
    const call = rings([AGENT]);
    call.feed(answered(call.leg(AGENT)));
    assert.deepEqual(did(call.feed(ended(call.leg(AGENT)))), ['answer']);
    assert.equal(call.now().stage.name, 'answering');
  });

  test('is one with a number: a web client gets the call with its answer', () => {
    const call = rings([WEB_CLIENT]);
    assert.deepEqual(did(call.feed(answered(call.leg(WEB_CLIENT)))), ['answer']);
  });

  test('is asked only if the config says so', () => {
    const call = arrive(ringOf([AGENT]));
    assert.deepEqual(did(call.feed(answered(call.leg(AGENT)))), ['answer']);
  });

  test('is hung up with the call', () => {
    const call = rings([AGENT]);
    call.feed(answered(call.leg(AGENT)));
    assert.deepEqual(did(call.feed(ended('caller'))), ['hang_up']);
    assert.equal(call.now().status, 'missed');
  });
});
