import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coalesce } from './coalesce.ts';

/** Work whose runs end when the test says so. */
function makeWork() {
  const runs: PromiseWithResolvers<void>[] = [];
  const ask = coalesce(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  return { ask, runs };
}

test('however many ask while it runs, it runs once more, and never twice at a time', async () => {
  const { ask, runs } = makeWork();
  const asked = [ask(), ask(), ask()];
  assert.equal(runs.length, 1);
  runs[0]?.resolve();
  await runs[0]?.promise;
  await new Promise(setImmediate);
  assert.equal(runs.length, 2);
  runs[1]?.resolve();
  await Promise.all(asked);
  assert.equal(runs.length, 2);
});

test('after a run that failed it can be asked for again', async () => {
  const { ask, runs } = makeWork();
  const asked = ask();
  runs[0]?.reject(new Error('away'));
  await assert.rejects(asked, /away/);
  const next = ask();
  runs[1]?.resolve();
  await next;
});

test('a caller waits for the first run that began after its call, and not for those that others want', async () => {
  const { ask, runs } = makeWork();
  const first = ask();
  const second = ask();
  runs[0]?.resolve();
  await first;
  await new Promise(setImmediate);
  const third = ask();
  runs[1]?.resolve();
  await second;
  await new Promise(setImmediate);
  assert.equal(runs.length, 3);
  runs[2]?.resolve();
  await third;
});
