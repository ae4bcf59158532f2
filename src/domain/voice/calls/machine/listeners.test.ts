import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { commandsOf, did, ended } from '../../../../../test/support/call-plays.ts';
import {
  AGENT,
  arrive,
  type Played,
  refusalOf,
  ringOf,
  speechRefOf,
  spoken,
  talking,
} from '../../../../../test/support/front-desk-plays.ts';
import type { CallEffect, CallInput } from '../state/call-step.ts';

const WEB_CLIENT = 'wcl_00000000000000000000000001';
const add = (id = 'lsn_1', webClientId = WEB_CLIENT): CallInput => ({
  type: 'add_listener',
  listener: { id, webClientId, speaksTo: 'none' },
});
const remove = (listenerId = 'lsn_1'): CallInput => ({ type: 'remove_listener', listenerId });
const logged = (effects: readonly CallEffect[]) =>
  effects.flatMap((effect) =>
    effect.do === 'log' && effect.type.startsWith('listener_') ? [[effect.type, effect.detail['reason']]] : [],
  );
const areActive = (call: Played) => call.now().listeners?.map(({ isActive }) => isActive);

describe('a listener', () => {
  test('hears the call at once, and is hung up when the API ends it', () => {
    const call = talking();
    const begun = call.feed(add());
    assert.deepEqual([did(begun), logged(begun)], [['start_stream'], [['listener_started', undefined]]]);
    assert.deepEqual(areActive(call), [true]);
    const gone = call.feed(remove());
    assert.deepEqual(commandsOf(gone), [{ do: 'hang_up', legRef: 'lsn_1', reason: 'ended' }]);
    assert.deepEqual([logged(gone), call.now().listeners], [[['listener_ended', 'api_request']], []]);
    assert.equal(refusalOf(call, remove()), 'listener_not_found');
  });

  test('waits for the listening announcement, and is heard of by nobody after one that failed', () => {
    const text = { listeningAnnouncement: 'A colleague may listen.' };
    const call = talking(text);
    const announced = call.feed(add());
    assert.deepEqual([did(announced), areActive(call)], [['speak'], [false]]);
    assert.deepEqual(did(call.feed(spoken(speechRefOf(announced)))), ['start_stream']);
    assert.deepEqual(areActive(call), [true]);
    const failed = talking(text);
    const unheard = failed.feed(spoken(speechRefOf(failed.feed(add())), false));
    assert.deepEqual([did(unheard), logged(unheard)], [['hang_up'], [['listener_ended', 'announcement_failed']]]);
  });

  test('that hangs up is not hung up again, and the call goes on', () => {
    const call = talking();
    call.feed(add());
    const left = call.feed(ended('lsn_1'));
    assert.deepEqual([did(left), logged(left)], [[], [['listener_ended', 'hung_up']]]);
    assert.equal(call.now().stage.name, 'talking');
  });

  test('ends with the call, and with a transfer to the voicemail', () => {
    const over = talking();
    over.feed(add());
    const end = over.feed(ended('caller'));
    assert.deepEqual(logged(end), [['listener_ended', 'call_ended']]);
    assert.ok(commandsOf(end).some((command) => command.do === 'hang_up' && command.legRef === 'lsn_1'));
    const passed = talking();
    passed.feed(add());
    const voicemail = { type: 'voicemail' as const, greeting_text: 'Speak.', transcribe: false };
    const effects = passed.feed({ type: 'transfer', transfer: null, voicemail, audioRef: null });
    assert.deepEqual(logged(effects), [['listener_ended', 'voicemail']]);
  });

  test('is refused before the parties are connected, twice, as a party, and as the eleventh', () => {
    assert.equal(refusalOf(arrive(ringOf([AGENT])), add()), 'call_not_active');
    const call = talking();
    call.feed(add());
    assert.equal(refusalOf(call, add('lsn_2')), 'listener_not_possible');
    assert.equal(refusalOf(call, add('lsn_2', AGENT)), 'listener_not_possible');
    for (let n = 2; n <= 10; n++) assert.equal(call.feed(add(`lsn_${n}`, `wcl_${n}`)).length > 0, true);
    assert.equal(refusalOf(call, add('lsn_11', 'wcl_11')), 'listener_not_possible');
  });

  test('audio that was lost is asked for again', () => {
    const call = talking();
    call.feed(add());
    assert.deepEqual(did(call.feed({ type: 'audio_lost' })), ['start_stream']);
  });
});
