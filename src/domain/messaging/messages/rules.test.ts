import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canMove, sourcesOf } from '../../../lib/machine.ts';
import { MESSAGE_STATES, messageMachine } from './rules.ts';

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
