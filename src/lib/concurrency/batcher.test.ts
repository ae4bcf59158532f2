import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatedRun, turns } from '../../../test/support/batches.ts';
import { monotonicMs } from '../time/time.ts';
import { createBatcher } from './batcher.ts';

test('a lone call of an idle batcher runs at once', async () => {
  const batcher = createBatcher({ rowsMax: 10, concurrencyMax: 1, run: async (inputs: number[]) => inputs });
  assert.equal(await batcher.add(7), 7);
});

test('calls made while a batch is in flight share the next one, each with its own output', async () => {
  const { batches, run } = gatedRun();
  const batcher = createBatcher({ rowsMax: 10, concurrencyMax: 1, run });
  const first = batcher.add('a');
  await turns();
  const others = ['b', 'c', 'd'].map((input) => batcher.add(input));
  await turns();
  assert.equal(batches.length, 1);
  batches[0]?.end();
  assert.equal(await first, 'a!');
  await turns();
  assert.deepEqual(batches[1]?.inputs, ['b', 'c', 'd']);
  batches[1]?.end();
  assert.deepEqual(await Promise.all(others), ['b!', 'c!', 'd!']);
});

test('no more runs are in flight than allowed and no batch is larger than allowed', async () => {
  let inFlight = 0;
  let highest = 0;
  const sizes: number[] = [];
  const batcher = createBatcher({
    rowsMax: 7,
    concurrencyMax: 3,
    onBatch: (rows) => sizes.push(rows),
    run: async (inputs: number[]) => {
      highest = Math.max(highest, ++inFlight);
      await turns();
      inFlight--;
      return inputs;
    },
  });
  const inputs = Array.from({ length: 200 }, (_, index) => index);
  assert.deepEqual(await Promise.all(inputs.map((input) => batcher.add(input))), inputs);
  assert.equal(highest, 3);
  assert.equal(Math.max(...sizes), 7);
  assert.equal(batcher.waiting(), 0);
});

test('a faulty row fails alone', async () => {
  const batcher = createBatcher({
    rowsMax: 10,
    concurrencyMax: 1,
    run: async (inputs: number[]) => {
      if (inputs.includes(3)) throw new Error('three');
      return inputs;
    },
  });
  const results = await Promise.allSettled([1, 2, 3, 4, 5].map((input) => batcher.add(input)));
  assert.deepEqual(
    results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason))),
    [1, 2, 'Error: three', 4, 5],
  );
});

test('a failure that would hit every row is not retried row by row', async () => {
  let runs = 0;
  const batcher = createBatcher({
    rowsMax: 10,
    concurrencyMax: 1,
    retriesAlone: () => false,
    run: async (): Promise<number[]> => {
      runs++;
      throw new Error('down');
    },
  });
  const results = await Promise.allSettled([1, 2, 3].map((input) => batcher.add(input)));
  assert.ok(results.every((result) => result.status === 'rejected'));
  assert.equal(runs, 1);
});

test('a run that returns too few outputs fails its rows instead of mixing them up', async () => {
  const batcher = createBatcher({ rowsMax: 10, concurrencyMax: 1, run: async (inputs: number[]) => inputs.slice(1) });
  const results = await Promise.allSettled([1, 2].map((input) => batcher.add(input)));
  assert.ok(results.every((result) => result.status === 'rejected'));
});

test('with besideMs, a second run starts only beside one that stands still', async () => {
  const { batches, run } = gatedRun();
  const besideMs = 1_500;
  const batcher = createBatcher({ rowsMax: 10, concurrencyMax: 2, besideMs, run });
  const startedAt = monotonicMs();
  const first = batcher.add('a');
  await turns();
  const others = ['b', 'c'].map((input) => batcher.add(input));
  await turns();
  assert.equal(batches.length, 1);
  const passed = new Promise<void>((resolve) => {
    const look = () => (batches.length > 1 ? resolve() : setImmediate(look));
    look();
  });
  await passed;
  assert.ok(monotonicMs() - startedAt >= besideMs - 2);
  assert.deepEqual(batches[1]?.inputs, ['b', 'c']);
  const last = batcher.add('d');
  batches[1]?.end();
  assert.deepEqual(await Promise.all(others), ['b!', 'c!']);
  batches[0]?.end();
  assert.equal(await first, 'a!');
  // No run is in flight, so this row does not wait.
  await turns();
  assert.deepEqual(batches[2]?.inputs, ['d']);
  batches[2]?.end();
  assert.equal(await last, 'd!');
});
