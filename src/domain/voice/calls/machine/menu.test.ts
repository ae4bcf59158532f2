import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  answered,
  commandsOf,
  dataOf,
  did,
  emitted,
  ended,
  VOICEMAIL,
} from '../../../../../test/support/call-plays.ts';
import {
  AGENT,
  arrived,
  key,
  menuOf,
  OTHER,
  refusalOf,
  ringOf,
  speechRefOf,
  spoken,
} from '../../../../../test/support/front-desk-plays.ts';

describe('a menu', () => {
  test('a key during the prompt chooses, and what follows begins at once', () => {
    const call = arrived(menuOf({ '1': ringOf([AGENT]), '2': VOICEMAIL }));
    const chosen = call.feed(key('1'));
    assert.deepEqual(did(chosen), ['stop_gather', 'hold', 'dial']);
    assert.deepEqual(dataOf(chosen, 'call.menu'), [{ digit: '1', path: '1' }]);
    assert.deepEqual(did(call.feed(answered(call.leg(AGENT)))), ['bridge']);
    assert.equal(call.now().status, 'in_progress');
  });

  test('keys that are pressed faster than prompts lead through nested menus', () => {
    const call = arrived(menuOf({ '2': menuOf({ '*': VOICEMAIL }) }));
    call.feed(key('2'));
    const last = call.feed(key('*'));
    assert.deepEqual(dataOf(last, 'call.menu'), [{ digit: '*', path: '2*' }]);
    assert.deepEqual([call.now().stage.name, call.now().answeredBy], ['greeting', 'voicemail']);
  });

  test('a wrong key and silence are failed tries, after which the menu does otherwise', () => {
    const call = arrived(menuOf({ '1': ringOf([AGENT]) }));
    const again = call.feed(key('9'));
    assert.deepEqual(did(again), ['stop_gather', 'speak']);
    call.feed(spoken(speechRefOf(again)));
    assert.deepEqual(did(call.feed(call.timer('menu'))), ['stop_gather', 'speak']);
    assert.equal(call.now().stage.name, 'greeting');
  });

  test('the time for a key starts at the end of the prompt', () => {
    const call = arrived(menuOf({ '1': VOICEMAIL }));
    const [timer] = call.feed(spoken(speechRefOf(call.effects)));
    assert.deepEqual(timer && 'inMs' in timer && timer.inMs, 6_000);
  });

  test('a hang-up and a key at the same moment, in either order, end the call once', () => {
    const hungUpFirst = arrived(menuOf({ '1': ringOf([AGENT]) }));
    hungUpFirst.feed(ended('caller'));
    assert.deepEqual(hungUpFirst.feed(key('1')), []);
    assert.deepEqual([hungUpFirst.now().status, hungUpFirst.now().outcome], ['completed', 'missed']);
    const keyFirst = arrived(menuOf({ '1': ringOf([AGENT]) }));
    keyFirst.feed(key('1'));
    const gone = keyFirst.feed(ended('caller'));
    assert.deepEqual([did(gone), emitted(gone)], [['hang_up'], ['call.missed', 'call.completed']]);
  });

  test('a gather is refused: the menu listens to the same keys', () => {
    const gather = { type: 'gather', prompt: 'Press.', maxDigits: 1, terminator: null, timeoutMs: 5_000 } as const;
    assert.equal(refusalOf(arrived(menuOf({ '1': VOICEMAIL })), gather), 'gather_in_progress');
  });

  test('targets that may not be dialled are in the log when their option is chosen', () => {
    const refused = [{ target: OTHER, reason: 'own_number' as const }];
    const call = arrived(menuOf({ '1': ringOf([AGENT, OTHER]) }), { refused });
    const chosen = call.feed(key('1'));
    assert.ok(chosen.some((effect) => effect.do === 'log' && effect.type === 'target_cancelled'));
    assert.equal(commandsOf(chosen).filter((command) => command.do === 'dial').length, 1);
  });
});
