import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLiveQueue } from './live-queue.ts';

const frame = (value: number) => new Uint8Array(160).fill(value);

test('frames that arrive up to 40 ms late are read without a gap', () => {
  const queue = createLiveQueue();
  const heard: (number | undefined)[] = [];
  // Frames that arrive before each tick: late ones, then several together.
  [1, 1, 0, 2, 1, 0, 2, 1, 1, 1].reduce((sent, count) => {
    for (let n = 0; n < count; n++) queue.push(frame(sent + n));
    heard.push(queue.read()?.[0]);
    return sent + count;
  }, 1);
  assert.deepEqual(heard, [undefined, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('after a gap the queue collects frames again before it plays', () => {
  const queue = createLiveQueue();
  for (const value of [1, 2]) queue.push(frame(value));
  assert.deepEqual([queue.read()?.[0], queue.read()?.[0], queue.read()], [1, 2, undefined]);
  queue.push(frame(3));
  assert.equal(queue.read(), undefined);
  queue.push(frame(4));
  assert.equal(queue.read()?.[0], 3);
});

test('a sender whose clock runs fast is never heard more than 200 ms late', () => {
  const queue = createLiveQueue();
  for (let n = 1; n <= 100; n++) queue.push(frame(n));
  assert.equal(queue.read()?.[0], 91);
});

test('pieces of other lengths are joined', () => {
  const queue = createLiveQueue();
  for (let n = 0; n < 6; n++) queue.push(new Uint8Array(80).fill(n));
  assert.deepEqual(queue.read(), Uint8Array.from([...new Uint8Array(80).fill(0), ...new Uint8Array(80).fill(1)]));
  queue.clear();
  assert.equal(queue.read(), undefined);
});
