import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatedRun, turn, turns } from '../../../test/support/batches.ts';
import { monotonicMs } from '../time/time.ts';
import { type BatcherOptions, createBatcher } from './batcher.ts';
import { type FairQueueOptions, fairQueue } from './fair-queue.ts';

/** A batcher with a fair queue; the first letter of a row is its key. */
function createFairBatcher(
  options: Pick<BatcherOptions<string, string>, 'rowsMax' | 'concurrencyMax' | 'run'>,
  fairness: Omit<FairQueueOptions<string>, 'keyOf'>,
) {
  return createBatcher({ ...options, queue: fairQueue({ keyOf: (input: string) => input[0] ?? '', ...fairness }) });
}

test('a key that calls without pause gets at most its share of a batch while others wait, for one batch', async () => {
  const { batches, run } = gatedRun();
  const batcher = createFairBatcher({ rowsMax: 10, concurrencyMax: 1, run }, { shareMax: 4 });
  for (let i = 0; i < 50; i++) void batcher.add(`x${i}`);
  await turns();
  assert.equal(batches[0]?.inputs.length, 10, 'a key alone may fill a batch');
  void batcher.add('y0');
  void batcher.add('z0');
  batches[0]?.end();
  await turns();
  const second = batches[1]?.inputs ?? [];
  assert.deepEqual(
    second.filter((input) => !input.startsWith('x')),
    ['y0', 'z0'],
  );
  assert.deepEqual(
    second.filter((input) => input.startsWith('x')),
    ['x10', 'x11', 'x12', 'x13'],
  );
  for (const batch of batches) batch.end();
});

test('rows of one key stay in the order of their calls', async () => {
  const seen: string[] = [];
  const run = async (inputs: string[]) => {
    seen.push(...inputs);
    return inputs;
  };
  const batcher = createFairBatcher({ rowsMax: 3, concurrencyMax: 1, run }, { shareMax: 2 });
  const inputs = Array.from({ length: 300 }, (_, index) => `${'xyz'[index % 3]}${index}`);
  await Promise.all(inputs.map((input) => batcher.add(input)));
  for (const key of 'xyz') {
    const own = seen.filter((input) => input.startsWith(key));
    assert.deepEqual(
      own,
      inputs.filter((input) => input.startsWith(key)),
    );
  }
});

test('a busy key at its limit of runs waits, and another key runs at once in a separate run', async () => {
  const gates: (() => void)[] = [];
  const batches: string[][] = [];
  const run = async (inputs: string[]) => {
    batches.push(inputs);
    await new Promise<void>((resolve) => gates.push(resolve));
    return inputs;
  };
  const batcher = createFairBatcher({ rowsMax: 2, concurrencyMax: 3, run }, { busyMin: 2, keyRunsMax: 2 });
  const busy = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'].map((input) => batcher.add(input));
  while (batches.length < 2) await new Promise(setImmediate);
  const other = batcher.add('b1');
  while (batches.length < 3) await new Promise(setImmediate);
  assert.deepEqual(batches, [['a1', 'a2'], ['a3', 'a4'], ['b1']]);
  gates[2]?.();
  assert.equal(await other, 'b1');
  gates[0]?.();
  while (batches.length < 4) await new Promise(setImmediate);
  assert.deepEqual(batches[3], ['a5', 'a6']);
  for (const open of gates) open();
  assert.deepEqual(await Promise.all(busy), ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']);
});

test('a key that calls without pause gets small batches while another key calls too', async () => {
  const sizes: number[] = [];
  const run = async (inputs: string[]) => {
    sizes.push(inputs.length);
    return inputs;
  };
  const batcher = createFairBatcher({ rowsMax: 8, concurrencyMax: 1, run }, { shareMax: 2 });
  await batcher.add('b0');
  const busy = Array.from({ length: 8 }, (_, n) => batcher.add(`a${n}`));
  await Promise.all(busy);
  assert.deepEqual(sizes, [1, 2, 2, 2, 2]);
});

test('a busy key leaves one run to the others, also where it could have all, and alternates with them', async () => {
  const { batches, run } = gatedRun();
  const batcher = createFairBatcher({ rowsMax: 2, concurrencyMax: 2, run }, { busyMin: 4 });
  const all = Array.from({ length: 8 }, (_, n) => batcher.add(`a${n}`));
  await turns();
  assert.deepEqual(
    batches.map(({ inputs }) => inputs),
    [['a0', 'a1']],
  );
  for (let n = 0; n < 5; n++) all.push(batcher.add(`${'bcdef'[n]}0`));
  await turns();
  assert.deepEqual(batches[1]?.inputs, ['b0', 'c0']);
  batches[0]?.end();
  await turns();
  assert.deepEqual(batches[2]?.inputs, ['a2', 'a3'], 'the others were served before');
  batches[1]?.end();
  await turns();
  assert.deepEqual(batches[3]?.inputs, ['d0', 'e0']);
  for (let n = 0; n < batches.length; n++) {
    batches[n]?.end();
    await turns();
  }
  await Promise.all(all);
  assert.equal(batcher.waiting(), 0);
});

test('a busy key has one run at a time while another key calls, and several when it is alone', async () => {
  const { batches, run } = gatedRun();
  const sizes = async (first: string[]) => {
    const batcher = createFairBatcher({ rowsMax: 2, concurrencyMax: 3, run }, { busyMin: 2, keyRunsMax: 1 });
    const all = [...first, ...Array.from({ length: 6 }, (_, n) => `a${n}`)].map((input) => batcher.add(input));
    await turns();
    const started = batches.splice(0).map(({ inputs, end }) => {
      end();
      return inputs;
    });
    for (await turns(); batches.length > 0; await turns()) for (const { end } of batches.splice(0)) end();
    await Promise.all(all);
    return started;
  };
  assert.deepEqual(await sizes([]), [
    ['a0', 'a1'],
    ['a2', 'a3'],
  ]);
  assert.deepEqual(await sizes(['b0']), [['b0'], ['a0', 'a1']]);
});

test('a key with few open calls does not wait for its own run while another key calls', async () => {
  const { batches, run } = gatedRun();
  const batcher = createFairBatcher({ rowsMax: 8, concurrencyMax: 4, run }, { busyMin: 2, keyRunsMax: 1 });
  const all = [batcher.add('b0')];
  await turns();
  all.push(batcher.add('a0'));
  await turns();
  all.push(batcher.add('a1'));
  await turns();
  assert.equal(batches.length, 3);
  all.push(batcher.add('a2'));
  await turns();
  assert.equal(batches.length, 3, 'the key is busy now');
  for (const { end } of [...batches]) end();
  await turns();
  assert.deepEqual(batches[3]?.inputs, ['a2']);
  batches[3]?.end();
  await Promise.all(all);
});

test('a busy key pauses between its runs while others call, and not while it is alone', async () => {
  const busyPauseMs = 1_000;
  for (const alone of [true, false]) {
    const { batches, run } = gatedRun();
    const batcher = createFairBatcher({ rowsMax: 2, concurrencyMax: 2, run }, { busyMin: 2, busyPauseMs });
    const calls = ['a1', 'a2', 'a3', 'a4', 'a5'].map((input) => batcher.add(input));
    await turns();
    if (!alone) calls.push(batcher.add('b1'));
    await turns();
    const started = batches.length;
    const endedAt = monotonicMs();
    batches[0]?.end();
    await turns();
    assert.equal(batches.length > started, alone);
    while (batches.length === started) await turn();
    assert.ok(alone || monotonicMs() - endedAt >= busyPauseMs - 2);
    for (let ended = 1; ended < batches.length || batcher.waiting() > 0; ) {
      if (ended < batches.length) batches[ended++]?.end();
      await turn();
    }
    await Promise.all(calls);
  }
});

test('rows of a busy key that were about to run when the pause began run after it', async () => {
  const { batches, run } = gatedRun();
  const fairness = { busyMin: 1, keyRunsMax: 1, busyPauseMs: 20 };
  const batcher = createFairBatcher({ rowsMax: 2, concurrencyMax: 3, run }, fairness);
  const first = ['a1', 'a2'].map((input) => batcher.add(input));
  await turns();
  // The second key's batch is scheduled. Before it starts, the first key's run ends, which pauses both keys.
  const second = ['b1', 'b2'].map((input) => batcher.add(input));
  batches[0]?.end();
  await Promise.all(first);
  for (const deadline = monotonicMs() + 10_000; batches.length < 2 && monotonicMs() < deadline; ) await turn();
  assert.deepEqual(batches[1]?.inputs, ['b1', 'b2']);
  batches[1]?.end();
  assert.deepEqual(await Promise.all(second), ['b1!', 'b2!']);
});

test('a pause that ends while the queue looks at it holds no rows back', (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs++);
  for (let busyPauseMs = 1; busyPauseMs < 10; busyPauseMs++) {
    const keyOf = (input: string) => input[0] ?? '';
    const queue = fairQueue<string, void>({ keyOf, busyMin: 1, busyPauseMs })({ rowsMax: 2, concurrencyMax: 2 });
    const push = (input: string) => queue.push({ input, resolve: () => undefined, reject: () => undefined });
    for (const input of ['x0', 'y0', 'x1', 'x2', 'x3']) push(input);
    const runs = [queue.take(), queue.take()];
    assert.equal(runs.flatMap((run) => run?.rows).length, 3);
    for (const run of runs) run?.onEnd();
    for (let look = 0; look < 10; look++) {
      assert.notEqual(queue.readyInMs(), undefined, `look ${look} at a pause of ${busyPauseMs} ms`);
    }
  }
});
