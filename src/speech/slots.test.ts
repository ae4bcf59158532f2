import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSlots } from './slots.ts';

test('tasks run in the order of their arrival, and never more than there are slots', async () => {
  const slots = createSlots(2);
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const work = async (i: number) => {
    started.push(i);
    most = Math.max(most, ++running);
    for (let tick = 0; tick < 5; tick++) await Promise.resolve();
    running--;
    return i;
  };
  const results = await Promise.all([0, 1, 2, 3, 4, 5].map((i) => slots.run(() => work(i))));
  assert.deepEqual(results, [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(started, [0, 1, 2, 3, 4, 5]);
  assert.equal(most, 2);
});

test('a failed task frees its slot', async () => {
  const slots = createSlots(1);
  await assert.rejects(
    slots.run(() => Promise.reject(new Error('no'))),
    /no/,
  );
  assert.equal(await slots.run(async () => 1), 1);
});
