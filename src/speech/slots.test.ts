import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSlots } from './slots.ts';

test('no more run at once than there are slots, in the order in which they came', async () => {
  const slots = createSlots(2);
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const work = async (i: number) => {
    started.push(i);
    most = Math.max(most, ++running);
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    running--;
    return i;
  };
  const results = await Promise.all([0, 1, 2, 3, 4, 5].map((i) => slots.run(() => work(i))));
  assert.deepEqual(results, [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(started, [0, 1, 2, 3, 4, 5]);
  assert.equal(most, 2);
});

test('a failure gives its slot back', async () => {
  const slots = createSlots(1);
  await assert.rejects(
    slots.run(() => Promise.reject(new Error('no'))),
    /no/,
  );
  assert.equal(await slots.run(async () => 1), 1);
});
