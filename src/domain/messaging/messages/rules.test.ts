import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canMove, sourcesOf } from '../../../lib/machine.ts';
import { MESSAGE_STATES, messageMachine } from './rules.ts';

test('a scheduled message is queued, fails or is canceled; a queued one is sent or ends; nothing else moves', () => {
  const arrows = MESSAGE_STATES.flatMap((from) =>
    MESSAGE_STATES.filter((to) => canMove(messageMachine, from, to)).map((to) => `${from} ${to}`),
  );
  assert.deepEqual(arrows.sort(), [
    'queued delivered',
    'queued failed',
    'queued sent',
    'scheduled canceled',
    'scheduled failed',
    'scheduled queued',
    'sent delivered',
    'sent failed',
  ]);
});

test('a message is delivered from queued or sent only, and fails from scheduled too', () => {
  assert.deepEqual(sourcesOf(messageMachine, 'delivered'), ['queued', 'sent']);
  assert.deepEqual(sourcesOf(messageMachine, 'failed'), ['scheduled', 'queued', 'sent']);
  assert.deepEqual(sourcesOf(messageMachine, 'received'), []);
});
