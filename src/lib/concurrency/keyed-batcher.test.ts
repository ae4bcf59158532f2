import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyedBatcher } from './keyed-batcher.ts';

test('rows of one key that come together share a run, and no key waits for another', async () => {
  const runs: [string, number[]][] = [];
  const batcher = createKeyedBatcher<string, number, number>({
    rowsMax: 10,
    concurrencyMax: 1,
    run: async (key, inputs) => {
      runs.push([key, inputs]);
      if (key === 'hung') await new Promise(() => undefined);
      return inputs.map((input) => 2 * input);
    },
  });
  void batcher.add('hung', 1);
  const outputs = await Promise.all([batcher.add('a', 1), batcher.add('b', 2), batcher.add('a', 3)]);
  assert.deepEqual(outputs, [2, 4, 6]);
  assert.deepEqual(runs, [
    ['hung', [1]],
    ['a', [1, 3]],
    ['b', [2]],
  ]);
});

test('a failed row rejects, and its key goes on', async () => {
  const batcher = createKeyedBatcher<string, number, number>({
    rowsMax: 10,
    concurrencyMax: 1,
    run: async (_, inputs) => {
      if (inputs.includes(0)) throw new Error('no zero');
      return inputs;
    },
  });
  const [zero, one] = await Promise.allSettled([batcher.add('a', 0), batcher.add('a', 1)]);
  assert.deepEqual([zero?.status, one?.status], ['rejected', 'fulfilled']);
  assert.equal(await batcher.add('a', 2), 2);
});
