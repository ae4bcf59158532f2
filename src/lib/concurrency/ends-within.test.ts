import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sleep } from '../../../test/support/stepping-time.ts';
import { endsWithin } from './ends-within.ts';

const LIMIT_MS = 20;

test('work that ends in time is done, and slower work is not', async () => {
  assert.equal(await endsWithin(sleep(1), LIMIT_MS), true);
  assert.equal(await endsWithin(sleep(2 * LIMIT_MS), LIMIT_MS), false);
});

test('an error in time is thrown', async () => {
  await assert.rejects(endsWithin(Promise.reject(new Error('no voice')), LIMIT_MS), /no voice/);
});

test('an error after the time is no unhandled rejection', async () => {
  const { promise, reject } = Promise.withResolvers<void>();
  assert.equal(await endsWithin(promise, 0), false);
  reject(new Error('late'));
  await sleep(1);
});
