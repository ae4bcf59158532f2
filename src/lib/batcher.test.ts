import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBatcher } from './batcher.ts';

/** A run whose batches the test ends one by one. */
function gatedRun() {
  const batches: { inputs: string[]; end(): void }[] = [];
  const run = (inputs: string[]) =>
    new Promise<string[]>((resolve) => {
      batches.push({ inputs, end: () => resolve(inputs.map((input) => `${input}!`)) });
    });
  return { batches, run };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function turns(count = 4) {
  for (let i = 0; i < count; i++) await turn();
}

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

test('a key flat out gets no more than its share of a batch while others wait, and they wait for one batch', async () => {
  const { batches, run } = gatedRun();
  const batcher = createBatcher({ rowsMax: 10, concurrencyMax: 1, run, keyOf: (input) => input[0] ?? '', shareMax: 4 });
  for (let i = 0; i < 50; i++) void batcher.add(`x${i}`);
  await turns();
  assert.equal(batches[0]?.inputs.length, 10, 'alone it may fill a batch');
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
  const batcher = createBatcher({
    rowsMax: 3,
    concurrencyMax: 1,
    keyOf: (input: string) => input[0] ?? '',
    shareMax: 2,
    run: async (inputs) => {
      seen.push(...inputs);
      return inputs;
    },
  });
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

test('a poisonous row fails alone', async () => {
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

test('a failure that would strike every row is not tried again row by row', async () => {
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

test('a run that answers too few outputs fails its rows instead of mixing them up', async () => {
  const batcher = createBatcher({ rowsMax: 10, concurrencyMax: 1, run: async (inputs: number[]) => inputs.slice(1) });
  const results = await Promise.allSettled([1, 2].map((input) => batcher.add(input)));
  assert.ok(results.every((result) => result.status === 'rejected'));
});

test('a busy key with its most runs in flight waits, and another key goes at once in a run of its own', async () => {
  const gates: (() => void)[] = [];
  const batches: string[][] = [];
  const batcher = createBatcher({
    rowsMax: 2,
    concurrencyMax: 3,
    keyOf: (input: string) => input[0] as string,
    busyMin: 2,
    keyRunsMax: 2,
    run: async (inputs: string[]) => {
      batches.push(inputs);
      await new Promise<void>((resolve) => gates.push(resolve));
      return inputs;
    },
  });
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

test('a key that calls flat out gets small batches as long as another key calls too', async () => {
  const sizes: number[] = [];
  const batcher = createBatcher({
    rowsMax: 8,
    concurrencyMax: 1,
    keyOf: (input: string) => input[0] as string,
    shareMax: 2,
    run: async (inputs: string[]) => {
      sizes.push(inputs.length);
      return inputs;
    },
  });
  await batcher.add('b0');
  const busy = Array.from({ length: 8 }, (_, n) => batcher.add(`a${n}`));
  await Promise.all(busy);
  assert.deepEqual(sizes, [1, 2, 2, 2, 2]);
});

test('a busy key leaves one run to the others, also where it could have all, and gets its turn beside them', async () => {
  const { batches, run } = gatedRun();
  const keyOf = (input: string) => input[0] as string;
  const batcher = createBatcher({ rowsMax: 2, concurrencyMax: 2, run, keyOf, busyMin: 4 });
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
  assert.deepEqual(batches[2]?.inputs, ['a2', 'a3'], 'the others have had their turn');
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
  const keyOf = (input: string) => input[0] as string;
  const options = { rowsMax: 2, concurrencyMax: 3, run, keyOf, busyMin: 2, keyRunsMax: 1 };
  const sizes = async (first: string[]) => {
    const batcher = createBatcher(options);
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

test('a key with few calls open does not wait for its own run, beside another key', async () => {
  const { batches, run } = gatedRun();
  const keyOf = (input: string) => input[0] as string;
  const batcher = createBatcher({ rowsMax: 8, concurrencyMax: 4, run, keyOf, busyMin: 2, keyRunsMax: 1 });
  const all = [batcher.add('b0')];
  await turns();
  all.push(batcher.add('a0'));
  await turns();
  all.push(batcher.add('a1'));
  await turns();
  assert.equal(batches.length, 3);
  all.push(batcher.add('a2'));
  await turns();
  assert.equal(batches.length, 3, 'now it is busy');
  for (const { end } of [...batches]) end();
  await turns();
  assert.deepEqual(batches[3]?.inputs, ['a2']);
  batches[3]?.end();
  await Promise.all(all);
});

test('where runs are to be large, another starts only beside one that stands still', async () => {
  const { batches, run } = gatedRun();
  const besideMs = 250;
  const batcher = createBatcher({ rowsMax: 10, concurrencyMax: 2, besideMs, run });
  const startedAt = performance.now();
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
  assert.ok(performance.now() - startedAt >= besideMs - 2);
  assert.deepEqual(batches[1]?.inputs, ['b', 'c']);
  const last = batcher.add('d');
  batches[1]?.end();
  assert.deepEqual(await Promise.all(others), ['b!', 'c!']);
  batches[0]?.end();
  assert.equal(await first, 'a!');
  // Nothing is in flight any more: this one does not wait.
  await turns();
  assert.deepEqual(batches[2]?.inputs, ['d']);
  batches[2]?.end();
  assert.equal(await last, 'd!');
});

test('a busy key rests between its runs while others call, and not while it is alone', async () => {
  const busyRestMs = 250;
  for (const alone of [true, false]) {
    const { batches, run } = gatedRun();
    const keyOf = (input: string) => input[0] ?? '';
    const batcher = createBatcher({ rowsMax: 2, concurrencyMax: 2, busyMin: 2, busyRestMs, keyOf, run });
    const calls = ['a1', 'a2', 'a3', 'a4', 'a5'].map((input) => batcher.add(input));
    await turns();
    if (!alone) calls.push(batcher.add('b1'));
    await turns();
    const started = batches.length;
    const endedAt = performance.now();
    batches[0]?.end();
    await turns();
    assert.equal(batches.length > started, alone);
    while (batches.length === started) await turn();
    assert.ok(alone || performance.now() - endedAt >= busyRestMs - 2);
    for (let ended = 1; ended < batches.length || batcher.waiting() > 0; ) {
      if (ended < batches.length) batches[ended++]?.end();
      await turn();
    }
    await Promise.all(calls);
  }
});

test('busy rows that were about to run when the busy began to rest run after the rest', async () => {
  const { batches, run } = gatedRun();
  const keyOf = (input: string) => input[0] ?? '';
  const batcher = createBatcher({
    rowsMax: 2,
    concurrencyMax: 3,
    busyMin: 1,
    keyRunsMax: 1,
    busyRestMs: 20,
    keyOf,
    run,
  });
  const first = ['a1', 'a2'].map((input) => batcher.add(input));
  await turns();
  // The second key's batch is scheduled, and the first key's run ends, which makes both rest, before it can start.
  const second = ['b1', 'b2'].map((input) => batcher.add(input));
  batches[0]?.end();
  await Promise.all(first);
  for (const deadline = performance.now() + 1_000; batches.length < 2 && performance.now() < deadline; ) await turn();
  assert.deepEqual(batches[1]?.inputs, ['b1', 'b2']);
  batches[1]?.end();
  assert.deepEqual(await Promise.all(second), ['b1!', 'b2!']);
});
