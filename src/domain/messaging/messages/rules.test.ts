import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canMove, sourcesOf } from '../../../lib/machine.ts';
import {
  BODY_CHARS_MAX,
  isBodyTooLong,
  MESSAGE_STATES,
  messageMachine,
  PREVIEW_CHARS_MAX,
  previewOf,
} from './rules.ts';

test('a queued message can be sent, delivered or failed; a sent one delivered or failed; nothing else moves', () => {
  const arrows = MESSAGE_STATES.flatMap((from) =>
    MESSAGE_STATES.filter((to) => canMove(messageMachine, from, to)).map((to) => `${from} ${to}`),
  );
  assert.deepEqual(arrows.sort(), [
    'queued delivered',
    'queued failed',
    'queued sent',
    'sent delivered',
    'sent failed',
  ]);
});

test('a receipt can end a message from queued or sent only', () => {
  assert.deepEqual(sourcesOf(messageMachine, 'delivered'), ['queued', 'sent']);
  assert.deepEqual(sourcesOf(messageMachine, 'failed'), ['queued', 'sent']);
  assert.deepEqual(sourcesOf(messageMachine, 'received'), []);
});

test('the 1600th character is accepted and the 1601st is not, an emoji being one character', () => {
  for (const character of ['a', 'é', '😀']) {
    assert.equal(isBodyTooLong(character.repeat(BODY_CHARS_MAX)), false, character);
    assert.equal(isBodyTooLong(character.repeat(BODY_CHARS_MAX + 1)), true, character);
  }
  assert.equal(isBodyTooLong(''), false);
  assert.equal(isBodyTooLong(`${'a'.repeat(BODY_CHARS_MAX - 1)}😀`), false);
  assert.equal(isBodyTooLong('a'.repeat(10 * BODY_CHARS_MAX)), true);
});

test('a short one-line body is its own preview', () => {
  for (const body of ['ok', 'See you at 3 😀', 'a'.repeat(PREVIEW_CHARS_MAX)]) assert.equal(previewOf(body, 0), body);
  assert.equal(previewOf('Photo of the leak', 2), 'Photo of the leak');
});

test('a preview is one line without stray white space', () => {
  assert.equal(previewOf('  Hi,\r\n\r\nyour   car\tis ready. ', 0), 'Hi, your car is ready.');
});

test('media without a body are named', () => {
  assert.equal(previewOf('', 1), '[media]');
  assert.equal(previewOf('', 3), '[3 media]');
  assert.equal(previewOf(' \n ', 1), '[media]');
  assert.equal(previewOf('', 0), '');
});

test('a longer body is cut with an ellipsis', () => {
  assert.equal(previewOf('a'.repeat(121), 0), `${'a'.repeat(119)}…`);
  assert.equal(previewOf(`${'a'.repeat(118)} ${'b'.repeat(10)}`, 0), `${'a'.repeat(118)}…`);
});

test('a preview never halves a surrogate pair and never exceeds its limit', () => {
  assert.equal(previewOf(`${'a'.repeat(118)}😀😀`, 0), `${'a'.repeat(118)}…`);
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', ' ', '\n', '😀', 'é'), maxLength: 400 }), (body) => {
      const preview = previewOf(body, 0);
      assert.ok(preview.length <= PREVIEW_CHARS_MAX);
      assert.ok(preview.isWellFormed());
      assert.ok(!/[^\S ]| {2}|^ | $/.test(preview), JSON.stringify(preview));
      if (body.trim() !== '') assert.notEqual(preview, '');
    }),
    { numRuns: 1000 },
  );
});
