import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canMove, type Machine, sourcesOf } from './machine.ts';

const door: Machine<'open' | 'shut' | 'locked' | 'gone'> = {
  open: ['shut', 'gone'],
  shut: ['open', 'locked', 'gone'],
  locked: ['shut'],
  gone: [],
};

test('a move is allowed only along an arrow of the table', () => {
  assert.equal(canMove(door, 'open', 'shut'), true);
  assert.equal(canMove(door, 'open', 'locked'), false);
  assert.equal(canMove(door, 'gone', 'open'), false);
});

test('staying in a state is not a move', () => {
  assert.equal(canMove(door, 'shut', 'shut'), false);
  assert.deepEqual(sourcesOf(door, 'locked'), ['shut']);
});

test('sourcesOf names every state with an arrow to the target, in table order', () => {
  assert.deepEqual(sourcesOf(door, 'shut'), ['open', 'locked']);
  assert.deepEqual(sourcesOf(door, 'gone'), ['open', 'shut']);
  for (const to of ['open', 'shut', 'locked', 'gone'] as const) {
    for (const from of ['open', 'shut', 'locked', 'gone'] as const) {
      assert.equal(sourcesOf(door, to).includes(from), canMove(door, from, to), `${from} -> ${to}`);
    }
  }
});
